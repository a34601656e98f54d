import { newestReceived } from '../../db/read-state/newest-received.ts'
import { UnreadQuery } from '../../db/read-state/unread-query.ts'
import type { Readers } from '../../db/repositories.ts'
import { MAX_UNREAD_MESSAGES } from '../../domain/limits.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { UnreadLists } from '../../domain/messages/unread.ts'
import type { Schemas } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/**
 * Fetch types `message`, `update_message_flags` and `starred_messages`: where the caller's history ends, and which
 * messages in it are flagged.
 */
export const part: StatePart = async (read, actor, request) => {
  return {
    ...(request.isWanted('message') && { max_message_id: (await newestReceived(read.session, actor)) ?? -1 }),
    ...(request.isWanted('message') &&
      request.isWanted('update_message_flags') && { unread_msgs: await unreadState(read, actor, request) }),
    ...(request.isWanted('starred_messages') && {
      starred_messages: [...(await read.readState.flagged(actor.id, ['starred'], request.pauses)).keys()],
    }),
  }
}

async function unreadState(read: Readers, actor: Actor, request: StateRequest): Promise<Schemas['UnreadMessages']> {
  const { pauses, capabilities } = request
  const unread = await new UnreadQuery(read.session, actor, pauses).newest(MAX_UNREAD_MESSAGES + 1)
  const listed = unread.slice(-MAX_UNREAD_MESSAGES)
  const groupIds = listed.flatMap((message) => message.directGroupId ?? [])
  const members = await read.directGroups.members(groupIds, pauses)
  const marks = ['mentioned', 'topic_wildcard_mentioned', 'historical'] as const
  const flagged = await read.readState.flagged(actor.id, marks, pauses)
  const lists = new UnreadLists(actor.id, capabilities.empty_topic_name === true)
  await pauses.map(listed, ({ id, channelId, topic, directGroupId, mentionsChannel, isMuted }) => {
    const flags = flagged.get(id) ?? 0
    // A channel wildcard mentions those who receive the message.
    const isMention =
      (flags & (FLAG.mentioned | FLAG.topic_wildcard_mentioned)) !== 0 ||
      (mentionsChannel && (flags & FLAG.historical) === 0)
    if (directGroupId !== null) {
      const memberIds = members.get(directGroupId) ?? []
      lists.add({ id, isMention, conversation: { kind: 'direct', memberIds } })
    } else if (channelId !== null) {
      lists.add({ id, isMention, conversation: { kind: 'topic', channelId, topic: topic ?? '', isMuted } })
    }
  })
  return lists.lists(unread.length > listed.length)
}

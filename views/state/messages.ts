import { newestReceived } from '../../db/read-state/newest-received.ts'
import { UnreadQuery } from '../../db/read-state/unread-query.ts'
import type { CommittedReaders } from '../../db/shared-rows.ts'
import type { MessageId } from '../../domain/ids.ts'
import { MAX_UNREAD_MESSAGES } from '../../domain/limits.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { topicForOutput } from '../../domain/topics/topics.ts'
import type { Schemas } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { StatePart, StateRequest } from './state-request.ts'

/**
 * Fetch types `message`, `update_message_flags` and `starred_messages`: the newest message of the caller's history, and
 * the caller's unread and starred messages.
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

async function unreadState(
  read: CommittedReaders,
  actor: Actor,
  request: StateRequest,
): Promise<Schemas['UnreadMessages']> {
  const { pauses, capabilities } = request
  const unread = await new UnreadQuery(read.session, actor, pauses).newest(
    MAX_UNREAD_MESSAGES,
    read.shared.messagePlaces,
  )
  const groupIds = unread.conversations.map(({ groupId }) => groupId)
  const members = await read.directGroups.members(groupIds, pauses)
  const marks = ['mentioned', 'topic_wildcard_mentioned', 'historical'] as const
  const flagged = await read.readState.flagged(actor.id, marks, pauses)
  const isMention = (id: MessageId): boolean => {
    const flags = flagged.get(id) ?? 0
    if ((flags & (FLAG.mentioned | FLAG.topic_wildcard_mentioned)) !== 0) return true
    // A channel wildcard mentions the users who receive the message.
    return unread.channelMentions.has(id) && (flags & FLAG.historical) === 0
  }
  const conversations = unread.conversations.map(({ ids, groupId }) => {
    const memberIds = members.get(groupId) ?? []
    return { ids, memberIds, others: memberIds.filter((memberId) => memberId !== actor.id) }
  })
  const counted = [...unread.topics.filter(({ isMuted }) => !isMuted), ...conversations]
  const pairs = conversations.filter(({ others }) => others.length <= 1)
  const groups = conversations.filter(({ others }) => others.length > 1)
  return {
    count: counted.reduce((sum, { ids }) => sum + ids.length, 0),
    pms: pairs.map(({ ids, others: [other = actor.id] }) => ({
      other_user_id: other,
      sender_id: other,
      unread_message_ids: ids,
    })),
    streams: unread.topics.map(({ ids, channelId, topic }) => ({
      stream_id: channelId,
      topic: topicForOutput(topic, capabilities.empty_topic_name === true),
      unread_message_ids: ids,
    })),
    huddles: groups.map(({ ids, memberIds }) => ({ user_ids_string: memberIds.join(','), unread_message_ids: ids })),
    mentions: unread.ids.filter(isMention),
    old_unreads_missing: unread.isMore,
  }
}

import { usersOf } from '../../actions/messages/direct-recipients.ts'
import { checkSendsTyping, typingRecipients, wantingTyping } from '../../actions/typing.ts'
import { addMetInConversation, guestsNotSeeing, type UsersByViewer } from '../../actions/users/user-visibility.ts'
import type { Readers, Tx } from '../../db/repositories.ts'
import { BadRequestError, MissingParameterError } from '../../domain/errors.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { normalizeTopicToSendTo } from '../../domain/topics/topics.ts'
import { apiEmail, type User } from '../../domain/users/user.ts'
import type { EventOf, Input } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import { checkDirectMessage } from '../../permissions/direct-messages.ts'
import { channelToSend } from '../../permissions/posting.ts'
import type { Handler } from '../handler.ts'

/** POST /typing. */
export const setTypingStatus: Handler<'set-typing-status'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const noticeOf = input.type === 'direct' ? directNotice : channelNotice
    const { event, userIds } = await noticeOf(tx, actor, input)
    if (userIds.length === 0) return
    const unseenBy = input.type === 'direct' ? [] : await guestsNotSeeing(tx, actor)
    tx.events.append({ ...event, ...(unseenBy.length > 0 && { unseenBy }) }, { to: 'users', userIds })
  })
  return {}
}

interface Notice {
  readonly event: EventOf<'typing'>
  readonly userIds: readonly UserId[]
}

const wireUser = (user: User) => ({ user_id: user.id as number, email: apiEmail(user) })

async function channelNotice(
  read: Readers,
  actor: Actor,
  { op, stream_id: streamId, topic }: Input<'set-typing-status'>,
): Promise<Notice> {
  await checkSendsTyping(read, actor, 'channel')
  if (streamId === undefined) throw new BadRequestError('Missing channel ID')
  if (topic === undefined) throw new BadRequestError('Missing topic')
  const normalized = normalizeTopicToSendTo(topic)
  const found = await channelToSend(read, actor, await read.channels.byId(streamId as ChannelId))
  if (!found) throw new BadRequestError('Invalid channel ID')
  const { channel } = found
  return {
    event: {
      type: 'typing',
      op,
      message_type: 'stream',
      sender: wireUser(actor),
      stream_id: channel.id,
      topic: normalized,
    },
    userIds: await typingRecipients(read, channel.id),
  }
}

async function directNotice(tx: Tx, actor: Actor, { op, to }: Input<'set-typing-status'>): Promise<Notice> {
  await checkSendsTyping(tx, actor, 'direct')
  if (to === undefined) throw new MissingParameterError('to')
  if (to.length === 0) throw new BadRequestError("Empty 'to' list")
  const users = await usersOf(tx, actor, to)
  await checkDirectMessage(tx, actor, users)
  const members = [actor, ...users.filter((user) => user.id !== actor.id)].sort((a, b) => a.id - b.id)
  // Until a conversation exists, guests may not be able to see all members, and the notification names all of them.
  const strangers: UsersByViewer = new Map()
  await addMetInConversation(tx, strangers, members)
  const ids = members.flatMap(({ id }) => (strangers.has(id) ? [] : [id]))
  return {
    event: { type: 'typing', op, message_type: 'direct', sender: wireUser(actor), recipients: members.map(wireUser) },
    userIds: await wantingTyping(tx, ids),
  }
}

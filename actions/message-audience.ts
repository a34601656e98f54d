import type { Reception } from '../db/repositories/receipts.ts'
import type { ViewedMessage } from '../db/repositories/viewed-messages.ts'
import type { Readers } from '../db/repositories.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { ChannelId } from '../domain/ids.ts'
import { sharesHistory } from '../permissions/access-channel.ts'
import { readersByGroups } from '../permissions/read-channel.ts'

/**
 * Who hears of a change to a message (an edit, a reaction, its deletion): the people of the conversation; the channel's
 * subscribers (where it hides older messages, only those who got this one); and, of those who read the channel without
 * following it, whoever got it or has it in sight by a flag or a reaction.
 */
export async function messageAudience(
  read: Readers,
  { message, channel }: Pick<ViewedMessage, 'message' | 'channel'>,
): Promise<Audience> {
  const { place } = message
  if (place.kind === 'direct') return { to: 'users', userIds: place.members.map((member) => member.id) }
  if (!channel) throw new Error(`message ${message.id} is in channel ${place.channelId} and came without it`)
  const followers: Audience = {
    to: 'channel',
    channelId: place.channelId,
    isPublic: !channel.inviteOnly,
    ...(!sharesHistory(channel) && { received: { channelId: channel.originId, messageId: message.id } }),
  }
  const among = channel.inviteOnly ? await readersByGroups(read, place.channelId) : undefined
  if (among?.length === 0) return followers
  const recipients: Audience = {
    to: 'recipients',
    channelId: channel.originId,
    messageId: message.id,
    ...(among && { among }),
  }
  const marks = await read.readState.membersWithMarks(message.id)
  const marked = among ? marks.filter((id) => among.includes(id)) : marks
  return {
    to: 'any',
    of: [followers, recipients, ...(marked.length > 0 ? [{ to: 'users', userIds: marked } as const] : [])],
  }
}

/** Where the message was sent, which decides who received it. */
export function receptionOf(viewed: ViewedMessage): Reception {
  const { id: messageId, place } = viewed.message
  return place.kind === 'direct'
    ? { messageId, directGroupId: place.groupId }
    : { messageId, originChannelId: originOf(viewed) }
}

/** The channel that it was sent to; a move does not change it. */
export function originOf({ message, channel }: ViewedMessage): ChannelId {
  if (!channel) throw new Error(`message ${message.id} came without its channel`)
  return channel.originId
}

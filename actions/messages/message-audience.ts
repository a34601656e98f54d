import type { Reception } from '../../db/repositories/receipts.ts'
import type { TopicMessage } from '../../db/repositories/topics.ts'
import type { MessageToChange } from '../../db/repositories/viewed-messages.ts'
import type { Readers } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { readersByGroups } from '../../permissions/read-channel.ts'

/**
 * Returns who hears of a change to a message, such as an edit, a reaction or its deletion. In a conversation these are
 * its members, in a channel its subscribers (if it hides earlier history, only those who received the message). Users
 * who can read the channel without subscribing count if they received the message, or flagged or reacted to it.
 */
export async function messageAudience(
  read: Readers,
  { message, channel }: Pick<MessageToChange, 'message' | 'channel'>,
): Promise<Audience> {
  const { place } = message
  if (place.kind === 'direct') return { to: 'users', userIds: place.members.map((member) => member.id) }
  if (!channel) throw new Error(`message ${message.id} is in channel ${place.channelId} and came without it`)
  const readable = await withGroupReaders(read, { ...channel, id: place.channelId })
  return audienceOfRun(read, readable, [{ id: message.id, originId: channel.originId }])
}

/** A message, and the channel it was sent to, which decides who received it. */
export type Sent = Pick<TopicMessage, 'id' | 'originId'>
export type ChannelOfRun = Pick<Channel, 'id' | 'inviteOnly' | 'historyPublicToSubscribers'>

/** A channel with the users who read it through its groups. They are looked up once for all its runs of messages. */
export interface ReadableChannel extends ChannelOfRun {
  /** Undefined if members can read it anyway. */
  readonly byGroups: readonly UserId[] | undefined
}

export async function withGroupReaders(read: Readers, channel: ChannelOfRun): Promise<ReadableChannel> {
  return { ...channel, byGroups: channel.inviteOnly ? await readersByGroups(read, channel.id) : undefined }
}

/**
 * Groups messages by audience, each list ascending: one group if the channels share their history, otherwise one for
 * each set of recipients.
 */
export async function runsOf<One extends Sent>(
  read: Readers,
  channels: readonly ChannelOfRun[],
  messages: readonly One[],
): Promise<One[][]> {
  if (channels.every(sharesHistory)) return [[...messages]]
  const runs: One[][] = []
  for (const [originId, sent] of Map.groupBy(messages, (one) => one.originId)) {
    const [first, last] = [sent[0]?.id ?? 0, sent.at(-1)?.id ?? 0]
    const borders = (await read.subscriptions.borders(originId, first, last)).values()
    let border = borders.next().value
    let run: One[] = []
    for (const one of sent) {
      if (border !== undefined && border < one.id && run.length > 0) {
        runs.push(run)
        run = []
      }
      while (border !== undefined && border < one.id) border = borders.next().value
      run.push(one)
    }
    runs.push(run)
  }
  return runs
}

/** Returns who hears of a change to messages that `runsOf` has grouped, as for one message. */
export async function audienceOfRun(
  read: Readers,
  channel: ReadableChannel,
  run: readonly Sent[],
  pauses = new Pauses(),
): Promise<Audience> {
  const followers: Audience = {
    to: 'channel',
    channelId: channel.id,
    isPublic: !channel.inviteOnly,
    ...receivedOf(channel, run),
  }
  const { byGroups: among } = channel
  if (among?.length === 0) return followers
  const marks = await read.readState.membersWithMarks(
    run.map(({ id }) => id),
    pauses,
  )
  const marked = among ? marks.filter((id) => among.includes(id)) : marks
  return {
    to: 'any',
    of: [
      followers,
      ...recipientsOf(run, among),
      ...(marked.length > 0 ? [{ to: 'users', userIds: marked } as const] : []),
    ],
  }
}

/** Returns everybody who may read messages that `runsOf` has grouped, whether they received them or not. */
export function readersOfRun(channel: ReadableChannel, run: readonly Sent[]): Audience {
  const followers: Audience = { to: 'channel', channelId: channel.id, isPublic: false, ...receivedOf(channel, run) }
  const { byGroups: among } = channel
  if (!among) return { to: 'any', of: [followers, { to: 'members' }] }
  if (among.length === 0) return followers
  const others: readonly Audience[] = sharesHistory(channel)
    ? [{ to: 'users', userIds: among }]
    : recipientsOf(run, among)
  return { to: 'any', of: [followers, ...others] }
}

function receivedOf(
  channel: ChannelOfRun,
  [one]: readonly Sent[],
): { readonly received?: { readonly channelId: ChannelId; readonly messageId: MessageId } } {
  return sharesHistory(channel) || !one ? {} : { received: { channelId: one.originId, messageId: one.id } }
}

/**
 * Returns who received any of the messages. If the history is shared, users who joined in between count too, because
 * they may know.
 */
function recipientsOf(run: readonly Sent[], among: readonly UserId[] | undefined): Audience[] {
  return [...Map.groupBy(run, (one) => one.originId)].map(([channelId, sent]) => {
    const [first, last] = [sent[0], sent.at(-1)]
    if (!first || !last) throw new RangeError('a run has messages')
    return {
      to: 'recipients',
      channelId,
      messageId: first.id,
      ...(last !== first && { upTo: last.id }),
      ...(among && { among }),
    }
  })
}

/** The place where the message was sent, which decides who received it. */
export function receptionOf(viewed: MessageToChange): Reception {
  const { id: messageId, place } = viewed.message
  return place.kind === 'direct'
    ? { messageId, directGroupId: place.groupId }
    : { messageId, originChannelId: originOf(viewed) }
}

/** The channel it was sent to; a move does not change it. */
export function originOf({ message, channel }: MessageToChange): ChannelId {
  if (!channel) throw new Error(`message ${message.id} came without its channel`)
  return channel.originId
}

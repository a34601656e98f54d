import type { ShownMessage, ViewedMessage } from '../db/repositories/viewed-messages.ts'
import type { Readers } from '../db/repositories.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { historyInSight, type SeesPlace } from '../domain/messages/former-places.ts'
import type { Message } from '../domain/messages/message.ts'
import { mayReadChannel, sharesHistory } from './access-channel.ts'
import type { Actor } from './actor.ts'
import { openedByGroups } from './read-channel.ts'

/** Channels that the message was in before a move, once or several times. */
function formerChannels({ editHistory }: Message): ChannelId[] {
  return (editHistory ?? []).flatMap(({ prev_stream: id }) => (id === undefined ? [] : [id as ChannelId]))
}

/**
 * In which channels `actor` sees what each of `messages` was: where it is, and where they could read it if it were still
 * there. Of a private channel that they do not read they learn nothing because somebody moved a message out of it. No query for
 * messages that have always been in one channel.
 * @param others channels to be asked about beside those of the histories
 */
export async function placesInSight(
  read: Readers,
  actor: Actor,
  messages: readonly ShownMessage[],
  others: readonly ChannelId[] = [],
): Promise<(message: ShownMessage) => SeesPlace> {
  const ids = [...new Set([...others, ...messages.flatMap(({ message }) => formerChannels(message))])]
  if (ids.length === 0) return () => () => true
  const channels = await read.channels.byIds(ids)
  const subscribed = await read.subscriptions.subscribedTo(actor.id, ids)
  const opened = await openedByGroups(read, actor, channels)
  const readable = channels.filter(
    (channel) => mayReadChannel(actor.role, channel, subscribed.has(channel.id)) || opened.has(channel.id),
  )
  const shared = new Set(readable.filter(sharesHistory).map(({ id }) => id))
  const known = new Set(readable.map(({ id }) => id))
  return ({ message: { place }, flags }) => {
    const own = flags.isHistorical ? shared : known
    return (id) => id === null || own.has(id) || (place.kind === 'channel' && place.channelId === id)
  }
}

/**
 * Those of `readers`, who have read the message, of whom `actor` is told. Where they do not see all that it was, these are people who
 * follow the channel that it is in and did not receive it where it was sent: all others may have read it where it was before.
 */
export async function readersInSight(
  read: Readers,
  actor: Actor,
  viewed: ViewedMessage,
  readers: readonly UserId[],
): Promise<readonly UserId[]> {
  const { message, channel } = viewed
  if (message.place.kind === 'direct' || !channel) return readers
  const sees = (await placesInSight(read, actor, [viewed], [channel.originId]))(viewed)
  if ([channel.originId, ...formerChannels(message)].every(sees)) return readers
  const received = new Set(await read.receipts.receivedAmong(channel.originId, message.id, readers))
  const followers = await read.subscriptions.subscribedAmong(message.place.channelId, readers)
  return followers.filter((id) => !received.has(id))
}

/** `messages` with those former versions that `actor` may know of. */
export async function withHistoriesInSight<Shown extends ShownMessage>(
  read: Readers,
  actor: Actor,
  messages: readonly Shown[],
): Promise<readonly Shown[]> {
  const isMoved = ({ message }: ShownMessage): boolean => formerChannels(message).length > 0
  const moved = messages.filter(isMoved)
  if (moved.length === 0) return messages
  const inSight = await placesInSight(read, actor, moved)
  return messages.map((shown) => {
    const { message } = shown
    if (message.editHistory === null || message.place.kind !== 'channel' || !isMoved(shown)) return shown
    const editHistory = historyInSight(message.editHistory, message.place.channelId, inSight(shown))
    return { ...shown, message: { ...message, editHistory } }
  })
}

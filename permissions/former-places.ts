import type { ShownMessage, ViewedMessage } from '../db/repositories/viewed-messages.ts'
import type { Readers } from '../db/repositories.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { type SeesPlace, visibleHistory } from '../domain/messages/former-places.ts'
import type { Message } from '../domain/messages/message.ts'
import { mayReadChannel, sharesHistory } from './access-channel.ts'
import type { Actor } from './actor.ts'
import { openedByGroups } from './read-channel.ts'

/** Channels that the message was in before its moves. */
function formerChannels({ editHistory }: Message): ChannelId[] {
  return (editHistory ?? []).flatMap(({ prev_stream: id }) => (id === undefined ? [] : [id as ChannelId]))
}

/**
 * Returns the channels in which `actor` can see the former states of `messages`: the present one, and those in which
 * they could read the message if it were still there. A move out of a private channel must not reveal anything about
 * it. Needs no query for messages that were never moved.
 *
 * @param others further channels to check
 */
export async function visiblePlaces(
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
 * Returns the members of `readers` whom `actor` may know. If the actor cannot see all former places, these are the
 * subscribers of the present channel who did not receive the message where it was sent. All other readers may have read
 * it in its former place.
 */
export async function visibleReaders(
  read: Readers,
  actor: Actor,
  viewed: ViewedMessage,
  readers: readonly UserId[],
): Promise<readonly UserId[]> {
  const { message, channel } = viewed
  if (message.place.kind === 'direct' || !channel) return readers
  const sees = (await visiblePlaces(read, actor, [viewed], [channel.originId]))(viewed)
  if ([channel.originId, ...formerChannels(message)].every(sees)) return readers
  const received = new Set(await read.receipts.receivedAmong(channel.originId, message.id, readers))
  const followers = await read.subscriptions.subscribedAmong(message.place.channelId, readers)
  return followers.filter((id) => !received.has(id))
}

/** Returns `messages` with those former versions that `actor` may know. */
export async function withVisibleHistories<Shown extends ShownMessage>(
  read: Readers,
  actor: Actor,
  messages: readonly Shown[],
): Promise<readonly Shown[]> {
  const isMoved = ({ message }: ShownMessage): boolean => formerChannels(message).length > 0
  const moved = messages.filter(isMoved)
  if (moved.length === 0) return messages
  const visible = await visiblePlaces(read, actor, moved)
  return messages.map((shown) => {
    const { message } = shown
    if (message.editHistory === null || message.place.kind !== 'channel' || !isMoved(shown)) return shown
    const editHistory = visibleHistory(message.editHistory, message.place.channelId, visible(shown))
    return { ...shown, message: { ...message, editHistory } }
  })
}

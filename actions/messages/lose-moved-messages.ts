import type { Tx } from '../../db/repositories.ts'
import { type Channel, wasReceivedIn } from '../../domain/channels/channel.ts'
import { chunksOf } from '../../domain/chunks.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { MAX_MOVED_READS } from '../../domain/limits.ts'
import { flagAdded, flagRemoved } from '../../domain/messages/flag-events.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { sharesHistory } from '../../permissions/access-channel.ts'
import { readersAmong } from '../../permissions/read-channel.ts'
import { announceToSelf } from '../announce-to-self.ts'
import { changeFirstMessage } from './first-message.ts'
import type { Moved } from './move-messages.ts'

/** Number of users whose subscriptions one statement reads. */
const USERS_AT_ONCE = 200

/**
 * Applies a move to another channel to users who do not follow or cannot read the new channel, and to the first message
 * of either channel.
 */
export async function loseMovedMessages(tx: Tx, { from, messages }: Moved, to: Channel, pauses: Pauses): Promise<void> {
  const ids = messages.map(({ id }) => id)
  await markReadForOldFollowers(tx, from.id, to.id, messages, pauses)
  await unmark(tx, to, ids, pauses)
  for (const channelId of [from.id, to.id]) await changeFirstMessage(tx, channelId)
}

/**
 * Marks the moved messages as read for users who follow only the old channel, as if they had unsubscribed. Otherwise
 * the messages would be unread again if they later subscribed to the new channel.
 */
async function markReadForOldFollowers(
  tx: Tx,
  from: ChannelId,
  to: ChannelId,
  messages: Moved['messages'],
  pauses: Pauses,
): Promise<void> {
  const left = await tx.subscriptions.onlyIn(from, to)
  if (left.length * messages.length > MAX_MOVED_READS) {
    throw new BadRequestError('So many messages cannot be moved out of a channel with so many followers at once')
  }
  const ids = messages.map(({ id }) => id)
  const changed = await tx.readState.markReadByAll(left, ids, pauses)
  const lists = new Map<string, { messages: MessageId[]; userIds: UserId[] }>()
  for (const [userId, unread] of await receivedOf(tx, messages, changed, pauses)) {
    const key = unread.join()
    const list = lists.get(key)
    if (list) list.userIds.push(userId)
    else lists.set(key, { messages: unread, userIds: [userId] })
    await pauses.letOthers()
  }
  for (const { messages: read, userIds } of lists.values()) {
    tx.events.append(flagAdded('read', read), { to: 'users', userIds })
  }
}

/**
 * Returns, for each user, which messages the user received when they were sent; users who received none are left out.
 */
export async function receivedOf(
  tx: Tx,
  messages: Moved['messages'],
  of: ReadonlyMap<UserId, readonly MessageId[]>,
  pauses: Pauses,
): Promise<Map<UserId, MessageId[]>> {
  const originOf = new Map(messages.map(({ id, originId }) => [id, originId]))
  const received = new Map<UserId, MessageId[]>()
  for (const some of chunksOf([...of], USERS_AT_ONCE)) {
    const spans = await tx.subscriptions.spans(some.map(([userId]) => userId))
    const spansOf = Map.groupBy(spans, ({ userId }) => userId)
    for (const [userId, ids] of some) {
      const own = spansOf.get(userId) ?? []
      const got = ids.filter((id) => own.some((span) => span.channelId === originOf.get(id) && wasReceivedIn(span, id)))
      if (got.length > 0) received.set(userId, got)
      await pauses.letOthers()
    }
  }
  return received
}

/**
 * Removes the flags of users who can no longer read the messages, for good: the flags do not return if a user can read
 * the messages again later. If the new channel hides its earlier history, users who had only flagged a message lose it.
 */
async function unmark(tx: Tx, to: Channel, ids: readonly MessageId[], pauses: Pauses): Promise<void> {
  const marking = await tx.readState.flaggedBy(ids, pauses)
  const readers = await readersAmong(tx, to, marking, pauses)
  const losing = marking.filter((userId) => !readers.has(userId))
  // Also tells users who could not see the messages even before the move, because POST /register still lists their
  // stars.
  for (const [userId, messages] of await tx.readState.starredAmong(ids, new Set(losing), pauses)) {
    announceToSelf(tx, userId, flagRemoved('starred', messages))
  }
  await tx.readState.removeFlags(ids, { of: losing, historical: !sharesHistory(to) }, pauses)
}

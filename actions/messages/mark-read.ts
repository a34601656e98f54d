import { MessagesOfPlaces } from '../../db/read-state/messages-of-places.ts'
import { UnreadQuery } from '../../db/read-state/unread-query.ts'
import type { Tx } from '../../db/repositories.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { flagAdded } from '../../domain/messages/flag-events.ts'
import type { User } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { announceToSelf } from '../announce-to-self.ts'

/**
 * Marks everything in the channels or topics as read, with one event.
 *
 * @param messages of these places; the same for all users for whom this is done
 * @param openedIds private channels that groups let the user read
 */
export async function markPlacesRead(
  tx: Tx,
  user: User,
  placeIds: readonly number[],
  messages: MessagesOfPlaces,
  openedIds: readonly ChannelId[] = [],
): Promise<void> {
  const ids = await new UnreadQuery(tx.session, user, messages.pauses).inPlaces(placeIds, messages, openedIds)
  if (ids.length === 0) return
  const changed = await tx.readState.setRead(user.id, ids, true)
  if (changed.length === 0) return
  announceToSelf(tx, user.id, flagAdded('read', changed))
}

/** Number of users for whom one transaction marks a channel as read, while other writers wait. */
const READERS_A_TURN = 100

/**
 * Marks an archived channel as read for some of its subscribers: nothing in it counts as unread, and clients have
 * dropped its unread messages.
 *
 * @param after ID of the account after which to continue
 * @returns the ID after which to continue; undefined if nobody is left
 */
export async function markReadBySome(tx: Tx, channelId: ChannelId, after: number): Promise<UserId | undefined> {
  const followers = await tx.subscriptions.followers(channelId, after, READERS_A_TURN)
  const messages = new MessagesOfPlaces(tx.session, 'channel_id', new Pauses())
  for (const user of await tx.users.byIds(followers)) await markPlacesRead(tx, user, [channelId], messages)
  return followers.length < READERS_A_TURN ? undefined : followers.at(-1)
}

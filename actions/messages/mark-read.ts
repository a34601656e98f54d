import type { MessagesOfPlaces } from '../../db/read-state/messages-of-places.ts'
import { UnreadQuery } from '../../db/read-state/unread-query.ts'
import type { Tx } from '../../db/repositories.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { flagAdded } from '../../domain/messages/flag-events.ts'
import type { User } from '../../domain/users/user.ts'
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

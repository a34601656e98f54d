import type { ResolvedNarrow } from '../../db/narrow/resolved-narrow.ts'
import { UnreadQuery } from '../../db/read-state/unread-query.ts'
import type { Tx } from '../../db/repositories.ts'
import type { ChannelId, MessageId } from '../../domain/ids.ts'
import { flagAdded } from '../../domain/messages/flag-events.ts'
import type { User } from '../../domain/users/user.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { announceToSelf } from '../announce-to-self.ts'

/** Marks everything in the narrow as read, as the deprecated operations for a channel or a topic do. */
export async function markNarrowRead(tx: Tx, user: User, narrow: ResolvedNarrow): Promise<void> {
  await markRead(tx, user, await new UnreadQuery(tx.session, user).inNarrow(narrow))
}

/** Marks everything in the channels as read, with one event. */
export async function markChannelsRead(
  tx: Tx,
  user: User,
  channelIds: readonly ChannelId[],
  pauses: Pauses,
): Promise<void> {
  await markRead(tx, user, await new UnreadQuery(tx.session, user, pauses).inChannels(channelIds))
}

async function markRead(tx: Tx, user: User, ids: readonly MessageId[]): Promise<void> {
  if (ids.length === 0) return
  const changed = await tx.readState.setRead(user.id, ids, true)
  if (changed.length === 0) return
  announceToSelf(tx, user.id, flagAdded('read', changed))
}

import type { ResolvedNarrow } from '../../db/narrow/resolved-narrow.ts'
import { UnreadQuery } from '../../db/read-state/unread-query.ts'
import type { Tx } from '../../db/repositories.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { flagAdded } from '../../domain/messages/flag-events.ts'
import type { User } from '../../domain/users/user.ts'
import { announceToSelf } from '../announce-to-self.ts'

/** Marks everything in the narrow as read, as the deprecated operations for a channel or a topic do. */
export async function markNarrowRead(tx: Tx, user: User, narrow: ResolvedNarrow): Promise<void> {
  const ids = await new UnreadQuery(tx.session, user).inNarrow(narrow)
  const changed = await tx.readState.setRead(user.id, ids, true)
  if (changed.length === 0) return
  announceToSelf(tx, user.id, flagAdded('read', changed))
}

/** Marks everything in the channel as read. */
export function markChannelRead(tx: Tx, user: User, channelId: ChannelId): Promise<void> {
  return markNarrowRead(tx, user, { terms: [{ kind: 'channel', channelId, negated: false }], isHistoryShared: false })
}

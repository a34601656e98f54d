import type { Tx } from '../db/database.ts'
import type { ResolvedNarrow } from '../db/narrow/resolved-narrow.ts'
import { UnreadQuery } from '../db/unread-query.ts'
import type { Actor } from '../permissions/actor.ts'

/** Marks everything unread in the narrow as read: the deprecated ways to do it name a channel or a topic. */
export async function markNarrowRead(tx: Tx, actor: Actor, narrow: ResolvedNarrow): Promise<void> {
  const ids = await new UnreadQuery(tx.session, actor).inNarrow(narrow)
  const changed = await tx.readState.setRead(actor.id, ids, true)
  if (changed.length === 0) return
  tx.events.append(
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: changed, all: false },
    { to: 'users', userIds: [actor.id] },
  )
}

import type { Tx } from '../../db/repositories.ts'
import type { UserId } from '../../domain/ids.ts'
import { type User, wireTime } from '../../domain/users/user.ts'
import { announceSystemGroups } from '../user-groups/announce-system-groups.ts'
import { announceUser } from './user-visibility.ts'

/**
 * Called when somebody logs in to an imported account or uses its key. The first time it becomes a normal account whose
 * join date is this moment (EV-REALMUSER-23, EV-REALMUSER-24). Does nothing for other accounts.
 */
export async function recordFirstLogIn(tx: Tx, { id }: { readonly id: UserId }): Promise<void> {
  const user = await tx.users.byId(id)
  if (!user?.isImportedStub || !user.isActive) return
  const joined: User = { ...user, isImportedStub: false, dateJoined: tx.organization.now }
  await tx.users.update(id, { firstLogIn: joined.dateJoined })
  const person = { user_id: id, is_imported_stub: false as const, date_joined: wireTime(joined.dateJoined) }
  await announceUser(tx, user, { type: 'realm_user', op: 'update', person })
  await announceSystemGroups(tx, user, joined)
}

import type { Tx } from '../../db/repositories.ts'
import { systemGroupsOf } from '../../domain/user-groups/wire-user-group.ts'
import type { User } from '../../domain/users/user.ts'

/**
 * Announces which role groups a user has left and joined, in this order.
 *
 * @param before undefined for a new account
 */
export async function announceSystemGroups(tx: Tx, before: User | undefined, after: User): Promise<void> {
  const groupsOf = (user: User) => new Set(systemGroupsOf(user, tx.organization.isInWaitingPeriod(user)))
  const left = before ? groupsOf(before) : new Set<number>()
  const joined = groupsOf(after)
  const tell = (op: 'add_members' | 'remove_members', groupId: number): void =>
    tx.events.append({ type: 'user_group', op, group_id: groupId, user_ids: [after.id] }, { to: 'everyone' })
  for (const groupId of left.difference(joined)) tell('remove_members', groupId)
  for (const groupId of joined.difference(left)) tell('add_members', groupId)
}

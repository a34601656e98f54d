import type { CommittedReaders } from '../db/shared-rows.ts'
import type { UserId } from '../domain/ids.ts'
import { ascending } from '../domain/ids.ts'
import { systemGroupMembers, systemGroupsOf } from '../domain/user-groups/wire-user-group.ts'
import type { User } from '../domain/users/user.ts'
import type { Pauses } from '../event-loop/pauses.ts'

/** IDs of groups in a group, including deactivated ones. */
export function subgroupIds(
  { organization }: Pick<CommittedReaders, 'organization'>,
  id: number,
  isDirect: boolean,
): number[] {
  const { groups } = organization
  if (isDirect) return [...groups.subgroupsOf(id)]
  return ascending(groups.within([id])).filter((one) => one !== id)
}

/**
 * Returns active members of a group, including those of subgroups unless only direct ones are wanted, by ascending ID.
 */
export async function memberIds(
  read: CommittedReaders,
  id: number,
  isDirect: boolean,
  pauses: Pauses,
): Promise<UserId[]> {
  const { organization } = read
  const users = (await read.shared.users(pauses)).filter(({ isActive }) => isActive)
  const system = systemGroupMembers(users, (user) => organization.isInWaitingPeriod(user))
  const found = new Set<UserId>()
  await pauses.map(isDirect ? [id] : [...organization.groups.within([id])], (one) => {
    for (const userId of system.get(one) ?? organization.groups.contentsOf(one)?.memberIds ?? []) found.add(userId)
  })
  return users.flatMap((user) => (found.has(user.id) ? [user.id] : []))
}

/** Whether `memberIds` would return the user. */
export function isMember(
  { organization }: Pick<CommittedReaders, 'organization'>,
  user: User,
  id: number,
  isDirect: boolean,
): boolean {
  if (!user.isActive) return false
  const { groups } = organization
  const system = new Set<number>(systemGroupsOf(user, organization.isInWaitingPeriod(user)))
  const isIn = (one: number): boolean => system.has(one) || groups.contentsOf(one)?.memberIds.includes(user.id) === true
  return isDirect ? isIn(id) : groups.within([id]).values().some(isIn)
}

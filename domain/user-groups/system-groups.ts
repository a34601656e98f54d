import { ROLE, type Role } from '../users/roles.ts'

/**
 * The eight groups that exist in every organization and follow the roles. The first migration writes them and stored
 * group settings refer to them, so neither their IDs nor their names may ever change.
 *
 * `directRoles` are the roles of direct members; a group also contains all members of its subgroup. Members in the
 * waiting period are not in role:fullmembers. The groups form one chain, from role:owners (in every other except
 * role:nobody) to role:internet (which also contains people without an account).
 */
export const SYSTEM_GROUPS = [
  {
    id: 1,
    name: 'role:nobody',
    description: 'Has no members, ever.',
    directRoles: [],
    directSubgroupIds: [],
  },
  {
    id: 2,
    name: 'role:owners',
    description: 'All owners of this organization.',
    directRoles: [ROLE.owner],
    directSubgroupIds: [],
  },
  {
    id: 3,
    name: 'role:administrators',
    description: 'All administrators, and everyone above them.',
    directRoles: [ROLE.administrator],
    directSubgroupIds: [2],
  },
  {
    id: 4,
    name: 'role:moderators',
    description: 'All moderators, and everyone above them.',
    directRoles: [ROLE.moderator],
    directSubgroupIds: [3],
  },
  {
    id: 5,
    name: 'role:fullmembers',
    description: 'All members whose waiting period is over, and everyone above them.',
    directRoles: [ROLE.member],
    directSubgroupIds: [4],
  },
  {
    id: 6,
    name: 'role:members',
    description: 'All members, new ones too, and everyone above them.',
    directRoles: [ROLE.member],
    directSubgroupIds: [5],
  },
  {
    id: 7,
    name: 'role:everyone',
    description: 'All accounts of this organization, guests included.',
    directRoles: [ROLE.guest],
    directSubgroupIds: [6],
  },
  {
    id: 8,
    name: 'role:internet',
    description: 'Everybody, with or without an account.',
    directRoles: [],
    directSubgroupIds: [7],
  },
] as const satisfies readonly SystemGroup[]

interface SystemGroup {
  readonly id: number
  readonly name: `role:${string}`
  readonly description: string
  readonly directRoles: readonly Role[]
  readonly directSubgroupIds: readonly number[]
}

export type SystemGroupId = (typeof SYSTEM_GROUPS)[number]['id']
export type SystemGroupName = (typeof SYSTEM_GROUPS)[number]['name']

/** The fixed IDs by name. */
export const SYSTEM_GROUP_ID = {
  'role:nobody': 1,
  'role:owners': 2,
  'role:administrators': 3,
  'role:moderators': 4,
  'role:fullmembers': 5,
  'role:members': 6,
  'role:everyone': 7,
  'role:internet': 8,
} as const satisfies Record<SystemGroupName, SystemGroupId>

export function isSystemGroupId(groupId: number): groupId is SystemGroupId {
  return SYSTEM_GROUPS.some((group) => group.id === groupId)
}

/**
 * Whether an account with `role` is in the group, including subgroups. Bots count by their role like people.
 *
 * @param isNew the account is still in the waiting period; matters only for members and role:fullmembers
 */
export function systemGroupContains(groupId: SystemGroupId, role: Role, { isNew = false } = {}): boolean {
  switch (groupId) {
    case 1:
      return false
    case 2:
      return role <= ROLE.owner
    case 3:
      return role <= ROLE.administrator
    case 4:
      return role <= ROLE.moderator
    case 5:
      return role <= ROLE.moderator || (role === ROLE.member && !isNew)
    case 6:
      return role <= ROLE.member
    case 7:
    case 8:
      return true
    default:
      return groupId satisfies never
  }
}

import type { Schemas } from '../../generated/operations.ts'
import type { UserId } from '../ids.ts'
import { ROLE } from '../users/roles.ts'
import type { User } from '../users/user.ts'
import { type GroupSettingValue, USER_GROUP_GROUP_SETTINGS } from './group-settings.ts'
import { SYSTEM_GROUP_ID, SYSTEM_GROUPS, type SystemGroupId } from './system-groups.ts'
import type { UserGroup } from './user-group.ts'

/** A stored group. Members of system groups follow from the roles and are not stored. */
export interface UserGroupDetails extends UserGroup {
  readonly description: string
  readonly isDeactivated: boolean
  readonly creatorId: UserId | null
  /** UNIX seconds; null for system groups. */
  readonly createdAt: number | null
  /** Direct members by ascending ID. */
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly number[]
}

/**
 * Returns the system groups with this direct member, by ascending ID; none for a deactivated account (NOTE-22).
 *
 * @param isNew the account is still in the waiting period
 */
export function systemGroupsOf({ role, isActive }: Pick<User, 'role' | 'isActive'>, isNew: boolean): SystemGroupId[] {
  if (!isActive) return []
  return SYSTEM_GROUPS.filter(
    ({ id, directRoles }) =>
      directRoles.some((direct) => direct === role) &&
      !(isNew && role === ROLE.member && id === SYSTEM_GROUP_ID['role:fullmembers']),
  ).map(({ id }) => id)
}

/** The parts of an account that decide about its groups. */
export type GroupMember = Pick<User, 'id' | 'role' | 'isActive' | 'dateJoined'>

/**
 * Returns the direct members of every system group that has any, in the order of `users`.
 *
 * @param isNew whether an account is still in the waiting period
 */
export function systemGroupMembers(
  users: readonly GroupMember[],
  isNew: (user: GroupMember) => boolean,
): ReadonlyMap<number, UserId[]> {
  const members = new Map<number, UserId[]>()
  for (const user of users) {
    for (const groupId of systemGroupsOf(user, isNew(user))) {
      const known = members.get(groupId)
      if (known) known.push(user.id)
      else members.set(groupId, [user.id])
    }
  }
  return members
}

/** @param members the active direct members */
export function toWireUserGroup(group: UserGroupDetails, members: readonly UserId[]): Schemas['UserGroup'] {
  const system = group.isSystemGroup ? SYSTEM_GROUPS.find(({ id }) => id === group.id) : undefined
  return {
    id: group.id,
    name: group.name,
    description: system?.description ?? group.description,
    members: [...members],
    direct_subgroup_ids: [...(system?.directSubgroupIds ?? group.subgroupIds)],
    is_system_group: group.isSystemGroup,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    deactivated: group.isDeactivated,
    ...userGroupSettings(group),
  }
}

export type UserGroupSettingName = keyof typeof USER_GROUP_GROUP_SETTINGS
export const USER_GROUP_SETTING_NAMES = Object.keys(USER_GROUP_GROUP_SETTINGS) as UserGroupSettingName[]

/** Returns a setting of the group. By default a custom group is managed by its creator. */
export function userGroupSetting(
  { isSystemGroup, creatorId, groupSettings }: Pick<UserGroupDetails, 'isSystemGroup' | 'creatorId' | 'groupSettings'>,
  name: UserGroupSettingName,
): GroupSettingValue {
  const stored = groupSettings[name]
  if (stored !== undefined) return stored
  const { default: ordinary, defaultForSystemGroups } = USER_GROUP_GROUP_SETTINGS[name]
  if (isSystemGroup) return SYSTEM_GROUP_ID[defaultForSystemGroups]
  if (ordinary !== 'group_creator') return SYSTEM_GROUP_ID[ordinary]
  return { direct_members: creatorId === null ? [] : [creatorId], direct_subgroups: [] }
}

/** Returns all settings of the group. */
export function userGroupSettings(group: Parameters<typeof userGroupSetting>[0]) {
  const entries = USER_GROUP_SETTING_NAMES.map((name) => [name, userGroupSetting(group, name)])
  return Object.fromEntries(entries) as Pick<Schemas['UserGroup'], UserGroupSettingName>
}

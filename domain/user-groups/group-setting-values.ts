import { BadRequestError } from '../errors.ts'
import { ascending } from '../ids.ts'
import type { GroupSetting, GroupSettingValue } from './group-settings.ts'
import { SYSTEM_GROUP_ID, type SystemGroupName } from './system-groups.ts'

/**
 * Maximum number of users in a list. Everybody who reads a setting gets the whole list, so a named group should be used
 * for more users.
 */
const MAX_LISTED = 1000

/** Returns the user and group IDs that values name, for looking them up. */
export function namedIn(values: readonly GroupSettingValue[]): { userIds: number[]; groupIds: number[] } {
  return {
    userIds: values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members)),
    groupIds: values.flatMap((value) => (typeof value === 'number' ? value : value.direct_subgroups)),
  }
}

/** Counts the users and groups that a value lists. */
export function listedIn(value: GroupSettingValue): number {
  return typeof value === 'number' ? 0 : value.direct_members.length + value.direct_subgroups.length
}

/**
 * Returns the value in stored form: in a fixed order, and without a list if one group or nobody is meant.
 *
 * @throws {BadRequestError} naming the setting if it does not take this value
 */
export function storedGroupValue(name: string, setting: GroupSetting, wanted: GroupSettingValue): GroupSettingValue {
  if (listedIn(wanted) > MAX_LISTED) {
    throw new BadRequestError(`'${name}' lists more than ${MAX_LISTED} users and groups: make a user group of them.`)
  }
  const value = simplified(wanted)
  const groups = typeof value === 'number' ? [value] : value.direct_subgroups
  const refused = (['role:internet', 'role:everyone', 'role:nobody'] as const).find(
    (group) => groups.includes(SYSTEM_GROUP_ID[group]) && !takes(setting, group, typeof value === 'number'),
  )
  if (refused) throw new BadRequestError(`'${name}' setting cannot be set to '${refused}' group.`)
  const { allowedSystemGroups: only } = setting
  if (only && !only.some((group) => SYSTEM_GROUP_ID[group] === value)) {
    throw new BadRequestError(`'${name}' setting can only be set to one of the groups ${only.join(', ')}.`)
  }
  return value
}

/** @param isAlone whether nothing else is listed: "nobody" together with others would be nonsense */
function takes(setting: GroupSetting, group: SystemGroupName, isAlone: boolean): boolean {
  if (group === 'role:internet') return false
  return group === 'role:everyone' ? setting.allowsEveryone : setting.allowsNobody && isAlone
}

/** A single group without users becomes that group; an empty list becomes the group without members. */
function simplified(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const members = ascending(value.direct_members)
  const subgroups = ascending(value.direct_subgroups)
  const [only, ...others] = subgroups
  if (members.length > 0 || others.length > 0) return { direct_members: members, direct_subgroups: subgroups }
  return only ?? SYSTEM_GROUP_ID['role:nobody']
}

/** Whether two values, stored or sent, mean the same. */
export function isSameGroupValue(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return JSON.stringify(simplified(one)) === JSON.stringify(simplified(other))
}

/** Whether the value is the group, or lists it. */
export function namesGroup(value: GroupSettingValue, groupId: number): boolean {
  return typeof value === 'number' ? value === groupId : value.direct_subgroups.includes(groupId)
}

/** Returns the value without the user, in stored form; undefined if it does not name the user. */
export function withoutUser(value: GroupSettingValue, userId: number): GroupSettingValue | undefined {
  if (typeof value === 'number' || !value.direct_members.includes(userId)) return undefined
  return simplified({ ...value, direct_members: value.direct_members.filter((id) => id !== userId) })
}

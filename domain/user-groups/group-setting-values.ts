import { BadRequestError } from '../errors.ts'
import { ascending } from '../ids.ts'
import type { GroupSetting, GroupSettingValue } from './group-settings.ts'
import { SYSTEM_GROUP_ID, type SystemGroupName } from './system-groups.ts'

/** Whoever reads a setting is sent all of them: for more people than this there are groups with a name. */
const MAX_LISTED = 1000

/** The user and group ids that values name, for looking them up. */
export function namedIn(values: readonly GroupSettingValue[]): { userIds: number[]; groupIds: number[] } {
  return {
    userIds: values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members)),
    groupIds: values.flatMap((value) => (typeof value === 'number' ? value : value.direct_subgroups)),
  }
}

/** How many users and groups a value lists. */
export function listedIn(value: GroupSettingValue): number {
  return typeof value === 'number' ? 0 : value.direct_members.length + value.direct_subgroups.length
}

/**
 * The value as it is stored: in one order, and without a list where one group or nobody is meant.
 * @throws {BadRequestError} naming the setting where it does not take this value
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
  return value
}

/** @param isAlone whether nothing else is meant: "nobody" together with others would be nonsense */
function takes(setting: GroupSetting, group: SystemGroupName, isAlone: boolean): boolean {
  if (group === 'role:internet') return false
  return group === 'role:everyone' ? setting.allowsEveryone : setting.allowsNobody && isAlone
}

/** One group and nobody else is that group; nobody at all is the group that nobody is in. */
function simplified(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const members = ascending(value.direct_members)
  const subgroups = ascending(value.direct_subgroups)
  const [only, ...others] = subgroups
  if (members.length > 0 || others.length > 0) return { direct_members: members, direct_subgroups: subgroups }
  return only ?? SYSTEM_GROUP_ID['role:nobody']
}

/** Whether two stored or sent values mean the same. */
export function isSameGroupValue(one: GroupSettingValue, other: GroupSettingValue): boolean {
  return JSON.stringify(simplified(one)) === JSON.stringify(simplified(other))
}

/** Whether the value is the group, or lists it. */
export function namesGroup(value: GroupSettingValue, groupId: number): boolean {
  return typeof value === 'number' ? value === groupId : value.direct_subgroups.includes(groupId)
}

/** The value without the user, as it is stored; undefined where it does not name them. */
export function withoutUser(value: GroupSettingValue, userId: number): GroupSettingValue | undefined {
  if (typeof value === 'number' || !value.direct_members.includes(userId)) return undefined
  return simplified({ ...value, direct_members: value.direct_members.filter((id) => id !== userId) })
}

import type { Readers } from '../../db/repositories.ts'
import { BadRequestError, ExpectationMismatchError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { isSameGroupValue, namedIn, storedGroupValue } from '../../domain/user-groups/group-setting-values.ts'
import type { GroupSetting, GroupSettingValue } from '../../domain/user-groups/group-settings.ts'
import { isSystemGroupId } from '../../domain/user-groups/system-groups.ts'

/** A new value, optionally with the value that the caller believes to be the present one. */
export interface GroupValueUpdate {
  readonly new: GroupSettingValue
  readonly old?: GroupSettingValue | undefined
}

/**
 * Returns the group settings of `wanted` that change, in their stored form.
 *
 * @throws what `acceptGroupValue` throws
 */
export async function changedGroupValues<Name extends string>(
  read: Readers,
  settings: Readonly<Record<Name, GroupSetting>>,
  presentOf: (name: Name) => GroupSettingValue,
  wanted: { readonly [One in NoInfer<Name>]?: GroupValueUpdate | undefined },
): Promise<{ [One in Name]?: GroupSettingValue }> {
  const changed: { [One in Name]?: GroupSettingValue } = {}
  for (const name of Object.keys(settings) as Name[]) {
    const update = wanted[name]
    if (update === undefined) continue
    const present = presentOf(name)
    const value = await acceptGroupValue(read, name, settings[name], present, update)
    if (value !== present) changed[name] = value
  }
  return changed
}

/**
 * Returns the new value of a group setting in its stored form, or `present` itself if both mean the same.
 *
 * @throws {ExpectationMismatchError} if `old` is not the present value
 * @throws {BadRequestError} if the setting does not take the value, or the value names a user or group that does not
 * exist
 */
export async function acceptGroupValue(
  read: Readers,
  name: string,
  setting: GroupSetting,
  present: GroupSettingValue,
  { new: wanted, old }: GroupValueUpdate,
): Promise<GroupSettingValue> {
  if (old !== undefined && !isSameGroupValue(old, present)) throw new ExpectationMismatchError('old')
  const stored = storedGroupValue(name, setting, wanted)
  await refuseUnknown(read, [stored])
  return isSameGroupValue(stored, present) ? present : stored
}

/** @throws {BadRequestError} if a value names users or groups that are not in use */
export async function refuseUnknown(read: Readers, values: readonly GroupSettingValue[]): Promise<void> {
  const { userIds, groupIds } = namedIn(values)
  await refuseUnknownUsers(read, userIds)
  if (groupIds.some((id) => !isSystemGroupId(id) && !read.organization.groups.has(id))) {
    throw new BadRequestError('Invalid user group')
  }
}

/** @throws {BadRequestError} naming the first user who is not an active account */
export async function refuseUnknownUsers(read: Readers, userIds: readonly number[]): Promise<void> {
  const users = await read.users.byIds(userIds as readonly UserId[])
  const active = new Set<number>(users.flatMap((user) => (user.isActive ? [user.id] : [])))
  const unknown = userIds.find((id) => !active.has(id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID: ${unknown}`)
}

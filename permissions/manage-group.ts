import type { GroupDetails } from '../db/repositories/user-groups.ts'
import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { MAX_ID } from '../domain/ids.ts'
import { ORGANIZATION_GROUP_SETTINGS, USER_GROUP_GROUP_SETTINGS } from '../domain/user-groups/group-settings.ts'
import { type UserGroupSettingName, userGroupSetting } from '../domain/user-groups/wire-user-group.ts'
import type { Actor } from './actor.ts'

/** The permissions of somebody in a custom group. Managers may do everything. */
export interface GroupRights {
  /** Whether they manage it, or are in the group of one of `settings`. */
  has(...settings: readonly UserGroupSettingName[]): boolean
}

/**
 * Returns the group, active or not (levels 340 and 391), and what `actor` may do with it.
 *
 * @throws {BadRequestError} if it does not exist, or is a system group
 */
export async function accessGroupToChange(
  read: Readers,
  actor: Actor,
  id: number,
): Promise<{ group: GroupDetails; rights: GroupRights }> {
  const group = await accessGroup(read, id)
  if (group.isSystemGroup) throw new BadRequestError('Insufficient permission')
  const { organization } = read
  const isIn = (setting: UserGroupSettingName): boolean =>
    organization.may(USER_GROUP_GROUP_SETTINGS[setting], userGroupSetting(group, setting), actor)
  const { can_manage_all_groups: managers } = organization.settings
  const managesAll = organization.may(ORGANIZATION_GROUP_SETTINGS.can_manage_all_groups, managers, actor)
  const isManager = managesAll || isIn('can_manage_group')
  return { group, rights: { has: (...settings) => isManager || settings.some(isIn) } }
}

/**
 * Returns the group, active or not, for its managers.
 *
 * @throws {BadRequestError} if it does not exist, and for everybody else
 */
export async function accessGroupToManage(read: Readers, actor: Actor, id: number): Promise<GroupDetails> {
  const { group, rights } = await accessGroupToChange(read, actor, id)
  if (!rights.has()) throw new BadRequestError('Insufficient permission')
  return group
}

/**
 * Returns the group, active or not: members of the organization know all of them. @throws {BadRequestError} if it does
 * not exist
 */
export async function accessGroup(read: Pick<Readers, 'userGroups'>, id: number): Promise<GroupDetails> {
  const group = id <= MAX_ID ? await read.userGroups.detailsOf(id) : undefined
  if (!group) throw new BadRequestError('Invalid user group')
  return group
}

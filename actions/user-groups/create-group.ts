import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { ascending, type UserId } from '../../domain/ids.ts'
import { groupEvent } from '../../domain/user-groups/group-event.ts'
import { countOf, listedBy, roomOf } from '../../domain/user-groups/group-graph.ts'
import { storedGroupValue, withoutUser } from '../../domain/user-groups/group-setting-values.ts'
import { type GroupSettingValue, USER_GROUP_GROUP_SETTINGS } from '../../domain/user-groups/group-settings.ts'
import { isSystemGroupId } from '../../domain/user-groups/system-groups.ts'
import {
  toWireUserGroup,
  USER_GROUP_SETTING_NAMES,
  type UserGroupSettingName,
  userGroupSetting,
} from '../../domain/user-groups/wire-user-group.ts'
import { hasRole } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accountsOfCreator } from '../users/accounts-of-person.ts'
import { refuseUnknown, refuseUnknownUsers } from './accept-group-value.ts'

/** Group settings as the request has them, by the names on the wire. */
type WantedGroupSettings = { readonly [Name in UserGroupSettingName]?: GroupSettingValue | undefined }

export interface NewGroup {
  readonly name: string
  readonly description: string
  /** IDs as the request has them. */
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
  readonly settings: WantedGroupSettings
}

/**
 * Creates a user group, and announces it. Returns its ID.
 *
 * @throws {BadRequestError} if `actor` may not create it, the name is taken, or a user or group in it does not exist
 */
export async function createGroup(tx: Tx, actor: Actor, wanted: NewGroup): Promise<number> {
  const { organization } = tx
  if (!organization.isIn(organization.settings.can_create_groups, actor)) {
    throw new BadRequestError('Insufficient permission')
  }
  const memberIds = ascending(wanted.members) as UserId[]
  const subgroupIds = ascending(wanted.subgroups)
  await refuseUnknownUsers(tx, memberIds)
  refuseUnknownGroups(tx, subgroupIds)
  const groupSettings = await storedSettings(tx, wanted.settings)
  const [members, subgroups, listed] = [memberIds.length, subgroupIds.length, countOf(listedBy(groupSettings))]
  await refuseWithoutRoom(tx, actor, actor.id, roomOf({ groups: 1, members, subgroups, listed }))
  const { name, description } = wanted
  const made = { name, description, creatorId: actor.id, createdAt: organization.now, groupSettings }
  const id = await tx.userGroups.insert(made)
  if (id === undefined) throw new BadRequestError(`User group '${name}' already exists.`)
  await tx.userGroups.addMembers(id, memberIds)
  await tx.userGroups.addSubgroups(id, subgroupIds)
  const group = { ...made, id, isSystemGroup: false, isDeactivated: false, memberIds, subgroupIds }
  tx.events.append({ type: 'user_group', op: 'add', group: toWireUserGroup(group, memberIds) }, { to: 'everyone' })
  return id
}

/** @throws {BadRequestError} naming the first ID that is not a group in use */
export function refuseUnknownGroups({ organization }: Pick<Tx, 'organization'>, ids: readonly number[]): void {
  const unknown = ids.find((id) => !isSystemGroupId(id) && !organization.groups.has(id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid user group ID: ${unknown}`)
}

/** Removing members is always possible. @throws {BadRequestError} if groups are too large already (SEC-GROUPS-2) */
export async function refuseWithoutRoom(tx: Tx, actor: Actor, creatorId: UserId | null, more: number): Promise<void> {
  if (more <= 0) return
  const holders = await accountsOfCreator(tx, creatorId)
  if (tx.organization.groups.hasRoom(holders, more, hasRole(actor.role, 'administrator'))) return
  throw new BadRequestError('User groups already hold and list as many users and groups as they may.')
}

async function storedSettings(tx: Tx, wanted: WantedGroupSettings): Promise<Record<string, GroupSettingValue>> {
  const stored: Record<string, GroupSettingValue> = {}
  for (const name of USER_GROUP_SETTING_NAMES) {
    const value = wanted[name]
    if (value !== undefined) stored[name] = storedGroupValue(name, USER_GROUP_GROUP_SETTINGS[name], value)
  }
  await refuseUnknown(tx, Object.values(stored))
  return stored
}

/** Removes a deactivated account from all settings of groups that name it, also as their creator (STATE-USER-2). */
export async function removeUserFromGroupSettings(tx: Tx, userId: UserId): Promise<void> {
  const pauses = new Pauses()
  for (const group of await tx.userGroups.thatMayName(userId)) {
    await pauses.letOthers()
    const left = USER_GROUP_SETTING_NAMES.flatMap((name) => {
      const value = withoutUser(userGroupSetting(group, name), userId)
      return value === undefined ? [] : [[name, value] as const]
    })
    if (left.length === 0) continue
    await tx.userGroups.setGroupSettings(group.id, { ...group.groupSettings, ...Object.fromEntries(left) })
    for (const [name, value] of left) {
      const event = { type: 'user_group', op: 'update', group_id: group.id, data: { [name]: value } } as const
      tx.events.append(groupEvent(group.isDeactivated, event), { to: 'everyone' })
    }
  }
}

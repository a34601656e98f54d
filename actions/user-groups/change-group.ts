import type { GroupDetails } from '../../db/repositories/user-groups.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { boundedText } from '../../domain/text/given-text.ts'
import { groupEvent } from '../../domain/user-groups/group-event.ts'
import { countOf, listedBy, roomOf } from '../../domain/user-groups/group-graph.ts'
import { namedIn } from '../../domain/user-groups/group-setting-values.ts'
import { USER_GROUP_GROUP_SETTINGS } from '../../domain/user-groups/group-settings.ts'
import { checkUserGroupName, MAX_USER_GROUP_DESCRIPTION_LENGTH } from '../../domain/user-groups/user-group-names.ts'
import {
  toWireUserGroup,
  USER_GROUP_SETTING_NAMES,
  type UserGroupSettingName,
  userGroupSetting,
  userGroupSettings,
} from '../../domain/user-groups/wire-user-group.ts'
import type { EventOf } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accessGroupToManage } from '../../permissions/manage-group.ts'
import { changedGroupValues, type GroupValueUpdate } from './accept-group-value.ts'
import { announceChannelsOfGroup } from './channels-of-group.ts'
import { refuseUnknownGroups, refuseWithoutRoom } from './create-group.ts'

/** The changes in the request, by the names on the wire. */
type GroupChanges = { readonly [Name in UserGroupSettingName]?: GroupValueUpdate | undefined } & {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly deactivated?: boolean | undefined
}

/**
 * Changes name, description and settings of an active or deactivated group, or reactivates it. Each change has an event
 * of its own; an unchanged value has none.
 *
 * @throws {BadRequestError} if `actor` does not manage the group, or a change is not possible; then nothing has changed
 */
export async function changeGroup(tx: Tx, actor: Actor, id: number, wanted: GroupChanges): Promise<void> {
  const group = await accessGroupToManage(tx, actor, id)
  if (CHANGEABLE.every((name) => wanted[name] === undefined)) throw new BadRequestError('No new data supplied')
  if (wanted.deactivated && !group.isDeactivated) {
    throw new BadRequestError("'deactivated' can only be false: another operation deactivates.")
  }
  const texts = await textChanges(tx, group, wanted)
  const settings = await changedGroupValues(
    tx,
    USER_GROUP_GROUP_SETTINGS,
    (setting) => userGroupSetting(group, setting),
    wanted,
  )
  const present = listedBy(userGroupSettings(group))
  const more = countOf({ ...present, ...listedBy(settings) }) - countOf(present)
  await refuseWithoutRoom(tx, actor, group.creatorId, roomOf({ listed: more }))
  const changed: GroupDetails = {
    ...group,
    name: texts.name ?? group.name,
    description: texts.description ?? group.description,
    groupSettings: { ...group.groupSettings, ...settings },
  }
  if (texts.description !== undefined) await tx.userGroups.describe(id, texts.description)
  if (Object.keys(settings).length > 0) await tx.userGroups.setGroupSettings(id, changed.groupSettings)
  for (const [key, value] of Object.entries({ ...texts, ...settings })) {
    const event = { type: 'user_group', op: 'update', group_id: id, data: { [key]: value } } as const
    tx.events.append(groupEvent(group.isDeactivated, event), { to: 'everyone' })
  }
  if (wanted.deactivated === false && group.isDeactivated) await reactivate(tx, changed)
}

const CHANGEABLE = ['name', 'description', 'deactivated', ...USER_GROUP_SETTING_NAMES] as const

type Changes = Omit<EventOf<'user_group', 'update'>['data'], 'deactivated'>

async function textChanges(tx: Tx, group: GroupDetails, wanted: GroupChanges): Promise<Changes> {
  const name = wanted.name === undefined ? undefined : checkUserGroupName(wanted.name)
  const { description } = wanted
  if (description !== undefined) boundedText('description', description, MAX_USER_GROUP_DESCRIPTION_LENGTH)
  const isRenamed = name !== undefined && name !== group.name
  if (isRenamed && !(await tx.userGroups.rename(group.id, name))) {
    throw new BadRequestError(`User group '${name}' already exists.`)
  }
  return {
    ...(isRenamed && { name }),
    ...(description !== undefined && description !== group.description && { description }),
  }
}

/**
 * All groups that it contains or that its settings name must be in use, so that nothing in use depends on a deactivated
 * group.
 */
async function reactivate(tx: Tx, group: GroupDetails): Promise<void> {
  const { memberIds = [], subgroupIds = [] } = tx.organization.groups.contentsOf(group.id) ?? {}
  const named = namedIn(USER_GROUP_SETTING_NAMES.map((name) => userGroupSetting(group, name)))
  refuseUnknownGroups(
    tx,
    [...subgroupIds, ...named.groupIds].filter((id) => id !== group.id),
  )
  const before = tx.organization
  await tx.userGroups.setDeactivated(group.id, false)
  const whole = { ...group, isDeactivated: false, memberIds, subgroupIds }
  tx.events.append(
    {
      type: 'user_group',
      op: 'update',
      group_id: group.id,
      data: { deactivated: false },
      reactivated: toWireUserGroup(whole, memberIds),
    },
    { to: 'everyone' },
  )
  await announceChannelsOfGroup(tx, before, { groupId: group.id, groupIds: [group.id] })
}

import type { Tx } from '../../db/repositories.ts'
import { namingChannelSettings } from '../../domain/channels/channel-groups.ts'
import { BadRequestError, CodedError } from '../../domain/errors.ts'
import { ORGANIZATION_SETTING_NAMES } from '../../domain/organization/organization-settings.ts'
import { namesGroup } from '../../domain/user-groups/group-setting-values.ts'
import { isOrganizationGroupSetting } from '../../domain/user-groups/group-settings.ts'
import { USER_GROUP_SETTING_NAMES, userGroupSetting } from '../../domain/user-groups/wire-user-group.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { ChannelRights } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accessGroupToManage } from '../../permissions/manage-group.ts'
import { announceChannelsOfGroup } from './channels-of-group.ts'

/** A group, channel or setting that still needs a group that is to be deactivated. */
type GroupObjection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/**
 * Deactivates a group: mentions and permissions then treat it as empty, but it keeps its members. Announces it.
 *
 * @throws {BadRequestError} if `actor` does not manage it, or it is deactivated already
 * @throws {CodedError} if something in use needs it
 */
export async function deactivateGroup(tx: Tx, actor: Actor, id: number): Promise<void> {
  const group = await accessGroupToManage(tx, actor, id)
  if (group.isDeactivated) throw new BadRequestError('Invalid user group')
  const { isNeeded, objections } = await needersOf(tx, actor, id)
  if (isNeeded) {
    const sentence = 'Cannot deactivate user group in use.'
    throw new CodedError('CANNOT_DEACTIVATE_GROUP_IN_USE', sentence, { data: { objections } })
  }
  const before = tx.organization
  await tx.userGroups.setDeactivated(id, true)
  tx.events.append({ type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } }, { to: 'everyone' })
  await announceChannelsOfGroup(tx, before, { groupId: id, groupIds: [id] })
}

/** Finds what is in use and needs the group. Its own settings that name it do not count. */
async function needersOf(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ isNeeded: boolean; objections: GroupObjection[] }> {
  const { groups, settings } = tx.organization
  const objections: GroupObjection[] = []
  const supergroupIds = groups.supergroupsOf(id)
  if (supergroupIds.length > 0) objections.push({ type: 'subgroup', supergroup_ids: supergroupIds })
  const pauses = new Pauses()
  let isNeededByChannel = false
  for (const channel of await tx.channels.thatMayName(id)) {
    await pauses.letOthers()
    const naming = namingChannelSettings(channel, id)
    if (naming.length === 0) continue
    isNeededByChannel = true
    const isSubscribed = await tx.subscriptions.isSubscribed(actor.id, channel.id)
    // The group is still needed, but the caller must not learn by what.
    if (!new ChannelRights(actor, channel, isSubscribed, tx.organization).mayKnow) continue
    objections.push({ type: 'channel', channel_id: channel.id, settings: naming })
  }
  for (const other of await tx.userGroups.thatMayName(id)) {
    if (other.isDeactivated || other.id === id) continue
    const naming = USER_GROUP_SETTING_NAMES.filter((name) => namesGroup(userGroupSetting(other, name), id))
    if (naming.length > 0) objections.push({ type: 'user_group', group_id: other.id, settings: naming })
  }
  const naming = ORGANIZATION_SETTING_NAMES.filter(
    (name) => isOrganizationGroupSetting(name) && namesGroup(settings[name], id),
  )
  if (naming.length > 0) objections.push({ type: 'realm', settings: naming })
  return { isNeeded: isNeededByChannel || objections.length > 0, objections }
}

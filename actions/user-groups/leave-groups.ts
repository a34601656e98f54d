import type { Tx } from '../../db/repositories.ts'
import { withoutMember } from '../../domain/channels/channel-groups.ts'
import type { UserId } from '../../domain/ids.ts'
import { groupEvent } from '../../domain/user-groups/group-event.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { changeChannel } from '../channels/change-channel.ts'
import { removeUserFromSettings } from '../organization/change-organization.ts'
import { removeUserFromGroupSettings } from './create-group.ts'

/**
 * Removes a deactivated account from all groups that people made and from all group settings, of groups, organization
 * and channels, and tells everybody who may know. Reactivation does not restore them (STATE-USER-2).
 */
export async function leaveGroups(tx: Tx, userId: UserId): Promise<void> {
  for (const { id, isDeactivated } of await tx.userGroups.removeMember(userId)) {
    const event = { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [userId] } as const
    tx.events.append(groupEvent(isDeactivated, event), { to: 'everyone' })
  }
  await removeUserFromGroupSettings(tx, userId)
  await removeUserFromSettings(tx, userId)
  const pauses = new Pauses()
  for (const channel of await tx.channels.thatMayNameUser(userId)) {
    await pauses.letOthers()
    const changes = withoutMember(channel, userId)
    if (changes.length === 0) continue
    const changed = { ...channel, groupSettings: { ...channel.groupSettings, ...Object.fromEntries(changes) } }
    await changeChannel(tx, channel, changed)
  }
}

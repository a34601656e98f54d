import type { Tx } from '../../db/repositories.ts'
import { ofArchived } from '../../domain/channels/channel-update.ts'
import { ownFields } from '../../domain/channels/wire-channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { PersonalChange } from '../../domain/users/personal-settings.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'

/**
 * Sets the actor's own settings of a channel, and tells the actor's other clients of what has changed (SUB-16 to
 * SUB-18).
 *
 * @throws {BadRequestError} if the actor may not know the channel, or is not subscribed
 */
export async function changeSubscription(
  tx: Tx,
  actor: Actor,
  channelId: number,
  change: PersonalChange,
): Promise<void> {
  const { channel } = await accessChannel(tx, actor, channelId)
  const own = (await tx.subscriptions.toChannel(channel.id, [actor.id])).get(actor.id)
  if (!own) throw new BadRequestError(`Not subscribed to channel ID ${channelId}`)
  if (ownFields(own)[change.setting] === change.value) return
  await tx.subscriptions.change(actor.id, channel.id, change)
  const changed = { type: 'subscription', op: 'update', stream_id: channel.id, ...ofArchived(channel) } as const
  const audience = { to: 'users' as const, userIds: [actor.id] }
  tx.events.append({ ...changed, property: change.setting, value: change.value }, audience)
  // For clients that know muting only by its older name with the opposite meaning.
  if (change.setting === 'is_muted') {
    tx.events.append({ ...changed, property: 'in_home_view', value: !change.value }, audience)
  }
}

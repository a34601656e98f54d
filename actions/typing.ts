import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { Actor } from '../permissions/actor.ts'

/** In larger channels typing is not announced. */
const MAX_SUBSCRIBERS = 100

/**
 * Checks that `actor` sends typing notifications.
 *
 * @throws {BadRequestError} if the actor has turned them off
 */
export async function checkSendsTyping(read: Readers, actor: Actor, place: 'channel' | 'direct'): Promise<void> {
  const settings = await read.users.settingsOf(actor.id)
  const isAllowed =
    place === 'channel' ? settings.send_stream_typing_notifications : settings.send_private_typing_notifications
  if (!isAllowed) throw new BadRequestError(`User has disabled typing notifications for ${place} messages`)
}

/** Returns those of `userIds` who want typing notifications. */
export async function wantingTyping(read: Readers, userIds: readonly UserId[]): Promise<UserId[]> {
  const settings = await read.users.settings(userIds)
  return userIds.filter((id) => settings.get(id)?.receives_typing_notifications)
}

/** Returns who gets typing notifications of the channel: nobody in a large one. */
export async function typingRecipients(read: Readers, channelId: ChannelId): Promise<UserId[]> {
  const channel = await read.channels.byId(channelId)
  if (!channel || channel.subscriberCount > MAX_SUBSCRIBERS) return []
  const subscribers = await read.subscriptions.subscribers([channelId])
  return wantingTyping(read, subscribers.get(channelId) ?? [])
}

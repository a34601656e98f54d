import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { Actor } from '../permissions/actor.ts'

/** In larger channels nobody is told who is typing. */
const MAX_SUBSCRIBERS = 100

/**
 * Whether `actor` lets others know that they are typing.
 * @throws {BadRequestError} when they do not
 */
export async function checkSendsTyping(read: Readers, actor: Actor, place: 'channel' | 'direct'): Promise<void> {
  const settings = await read.users.settingsOf(actor.id)
  const isAllowed =
    place === 'channel' ? settings.send_stream_typing_notifications : settings.send_private_typing_notifications
  if (!isAllowed) throw new BadRequestError(`User has disabled typing notifications for ${place} messages`)
}

/** Those of `userIds` who want to know when somebody is typing. */
export async function wantingTyping(read: Readers, userIds: readonly UserId[]): Promise<UserId[]> {
  const settings = await read.users.settings(userIds)
  return userIds.filter((id) => settings.get(id)?.receives_typing_notifications)
}

/** Whom to tell that somebody is typing in the channel: nobody in a large one. */
export async function typingRecipients(read: Readers, channelId: ChannelId): Promise<UserId[]> {
  const channel = await read.channels.byId(channelId)
  if (!channel || channel.subscriberCount > MAX_SUBSCRIBERS) return []
  const subscribers = await read.subscriptions.subscribers([channelId])
  return wantingTyping(read, subscribers.get(channelId) ?? [])
}

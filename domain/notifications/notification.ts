import type { MessageId, UserId } from '../ids.ts'
import { RECIPIENTS_TOLD } from '../limits.ts'
import type { Message } from '../messages/message.ts'
import { avatarUrl } from '../users/user.ts'
import { notificationText } from './notification-text.ts'

/**
 * The server and the recipient. Every notification contains them, so that an app with several accounts knows which one
 * it is for.
 */
export interface Addressed {
  readonly realm_url: string
  readonly realm_name: string
  readonly user_id: UserId
}

/** Returns the notification with which a device shows a message. */
export function messageNotification(
  addressed: Addressed,
  { id, sender, sentAt, place, renderedContent }: Message,
): object {
  const where =
    place.kind === 'channel'
      ? {
          recipient_type: 'channel',
          channel_id: place.channelId,
          channel_name: place.channelName,
          topic: place.topic,
        }
      : {
          recipient_type: 'direct',
          recipient_user_ids: place.members.slice(0, RECIPIENTS_TOLD).map((member) => member.id),
          recipient_count: place.members.length,
        }
  return {
    type: 'message',
    ...addressed,
    message_id: id,
    time: sentAt,
    sender_id: sender.id,
    sender_full_name: sender.fullName,
    sender_avatar_url: avatarUrl(sender),
    ...where,
    content: notificationText(renderedContent),
  }
}

/** Returns the notification that tells a device to stop showing these messages. */
export function removalNotification(addressed: Addressed, message_ids: readonly MessageId[], time: number): object {
  return { type: 'remove', ...addressed, message_ids, time }
}

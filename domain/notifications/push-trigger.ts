import { isTopicMuted, VISIBILITY, type VisibilityPolicy } from '../topics/topic-visibility.ts'
import type { UserSettings } from '../users/user-settings.ts'

/** Settings of an account that decide which messages cause a notification on its devices. */
export type PushSettings = Pick<
  UserSettings,
  | 'enable_offline_push_notifications'
  | 'enable_online_push_notifications'
  | 'enable_stream_push_notifications'
  | 'enable_followed_topic_push_notifications'
  | 'enable_followed_topic_wildcard_mentions_notify'
  | 'wildcard_mentions_notify'
>

/** How a user relates to a message of a channel. */
export interface ChannelReceiver {
  readonly isMentioned: boolean
  readonly isTopicMentioned: boolean
  readonly isChannelMentioned: boolean
  readonly isChannelMuted: boolean
  readonly topicPolicy: VisibilityPolicy
  /** Setting of the subscription; null if the account's setting applies. */
  readonly pushNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
}

/**
 * Whether a user's devices are notified of a received message.
 *
 * @param receiver undefined for a direct message
 * @param isActive whether the user is active in a client
 */
export function isPushed(settings: PushSettings, receiver: ChannelReceiver | undefined, isActive: boolean): boolean {
  if (isActive && !settings.enable_online_push_notifications) return false
  if (!receiver || receiver.isMentioned) return settings.enable_offline_push_notifications
  return isReachedByWildcard(settings, receiver) || isToldOfAll(settings, receiver)
}

function isReachedByWildcard(settings: PushSettings, receiver: ChannelReceiver): boolean {
  const { isTopicMentioned, isChannelMentioned, wildcardMentionsNotify } = receiver
  if (!settings.enable_offline_push_notifications || !(isTopicMentioned || isChannelMentioned)) return false
  if (isFollowed(receiver) && settings.enable_followed_topic_wildcard_mentions_notify) return true
  return !isMuted(receiver) && (wildcardMentionsNotify ?? settings.wildcard_mentions_notify)
}

function isToldOfAll(settings: PushSettings, receiver: ChannelReceiver): boolean {
  if (isFollowed(receiver) && settings.enable_followed_topic_push_notifications) return true
  return !isMuted(receiver) && (receiver.pushNotifications ?? settings.enable_stream_push_notifications)
}

function isFollowed({ topicPolicy }: ChannelReceiver): boolean {
  return topicPolicy === VISIBILITY.followed
}

function isMuted({ topicPolicy, isChannelMuted }: ChannelReceiver): boolean {
  return isTopicMuted(topicPolicy, isChannelMuted)
}

import type { UserId } from '../ids.ts'
import {
  CHANNEL_GROUP_SETTING_NAMES,
  type ChannelGroupSettingName,
  type GroupSettingValue,
} from '../user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../user-groups/system-groups.ts'
import type { UserSettings } from '../users/user-settings.ts'
import { type Channel, channelGroup, type Subscription } from './channel.ts'

function channelGroups(channel: Channel): Record<ChannelGroupSettingName, GroupSettingValue> {
  const entries = CHANNEL_GROUP_SETTING_NAMES.map((name) => [name, channelGroup(channel, name)])
  return Object.fromEntries(entries) as Record<ChannelGroupSettingName, GroupSettingValue>
}

/** Returns the value from 1 to 4 that is closest to who may send (SUB-FIELD-29, NOTE-24). */
function postPolicyOf(canSend: GroupSettingValue): 1 | 2 | 3 | 4 {
  if (canSend === SYSTEM_GROUP_ID['role:administrators'] || canSend === SYSTEM_GROUP_ID['role:owners']) return 2
  if (canSend === SYSTEM_GROUP_ID['role:fullmembers']) return 3
  if (canSend === SYSTEM_GROUP_ID['role:moderators']) return 4
  return 1
}

/** A channel in the form for everybody who may know it. */
export function toWireChannel(channel: Channel) {
  const groups = channelGroups(channel)
  const postPolicy = postPolicyOf(groups.can_send_message_group)
  return {
    stream_id: channel.id as number,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.createdAt,
    creator_id: channel.creatorId as number | null,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    is_archived: channel.isArchived,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    first_message_id: channel.firstMessageId as number | null,
    message_retention_days: channel.messageRetentionDays,
    folder_id: channel.folderId,
    topics_policy: channel.topicsPolicy,
    is_recently_active: channel.isRecentlyActive,
    stream_weekly_traffic: channel.weeklyTraffic,
    subscriber_count: channel.subscriberCount,
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === 2,
    ...groups,
  }
}

/** Returns the user's general notification settings, which apply where a subscription has null (SUB-FIELD-16 to 20). */
export function inheritedNotifications(settings: UserSettings) {
  return {
    desktop_notifications: settings.enable_stream_desktop_notifications,
    audible_notifications: settings.enable_stream_audible_notifications,
    push_notifications: settings.enable_stream_push_notifications,
    email_notifications: settings.enable_stream_email_notifications,
    wildcard_mentions_notify: settings.wildcard_mentions_notify,
  }
}
export type InheritedNotifications = ReturnType<typeof inheritedNotifications>
type NotificationSettings = { readonly [Name in keyof InheritedNotifications]: boolean | null }

/** For clients that do not understand null, without the capability notification_settings_null. */
export function withInheritedNotifications<Wire extends NotificationSettings>(
  subscription: Wire,
  inherited: InheritedNotifications,
): Wire {
  return {
    ...subscription,
    desktop_notifications: subscription.desktop_notifications ?? inherited.desktop_notifications,
    audible_notifications: subscription.audible_notifications ?? inherited.audible_notifications,
    push_notifications: subscription.push_notifications ?? inherited.push_notifications,
    email_notifications: subscription.email_notifications ?? inherited.email_notifications,
    wildcard_mentions_notify: subscription.wildcard_mentions_notify ?? inherited.wildcard_mentions_notify,
  }
}

export interface SubscriptionView {
  readonly channel: Channel
  /** Absent if the list was not requested (SUB-FIELD-12). */
  readonly subscribers?: readonly UserId[]
}

/** A channel in the form for its subscriber (openapi: `Subscription`). */
export function toWireSubscription(subscription: Subscription, view: SubscriptionView) {
  return {
    ...toWireChannel(view.channel),
    ...ownFields(subscription),
    ...(view.subscribers && { subscribers: [...view.subscribers] as number[] }),
  }
}

/** The subscriber's own settings. */
export function ownFields(subscription: Subscription) {
  return {
    color: subscription.color,
    is_muted: subscription.isMuted,
    in_home_view: !subscription.isMuted,
    pin_to_top: subscription.pinToTop,
    desktop_notifications: subscription.desktopNotifications,
    audible_notifications: subscription.audibleNotifications,
    push_notifications: subscription.pushNotifications,
    email_notifications: subscription.emailNotifications,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify,
  }
}

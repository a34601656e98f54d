import type { ChannelId, MessageId, UserId } from '../ids.ts'
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettingName,
  type GroupSettingValue,
} from '../user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../user-groups/system-groups.ts'

export type TopicsPolicy = 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'

export interface Channel {
  readonly id: ChannelId
  readonly name: string
  /** Markdown, and its HTML. */
  readonly description: string
  readonly renderedDescription: string
  readonly creatorId: UserId | null
  /** UNIX seconds. */
  readonly createdAt: number
  /** Whether the channel is private. */
  readonly inviteOnly: boolean
  /** Whether new subscribers of a private channel see earlier messages. Always true for public channels. */
  readonly historyPublicToSubscribers: boolean
  readonly isWebPublic: boolean
  readonly isArchived: boolean
  /** Null means the organization's setting, -1 means forever. */
  readonly messageRetentionDays: number | null
  readonly topicsPolicy: TopicsPolicy
  readonly folderId: number | null
  /**
   * False if the channel is not new and nobody has written for half a year. Clients with many channels hide such
   * channels (SUB-FIELD-38).
   */
  readonly isRecentlyActive: boolean
  /** Estimated messages a week; null if too new (SUB-FIELD-39, 40). */
  readonly weeklyTraffic: number | null
  /** Stored group settings; absent ones have their defaults. */
  readonly groupSettings: StoredChannelGroups
  /** Number of active subscribers. */
  readonly subscriberCount: number
  /** ID of the oldest message; null without any. */
  readonly firstMessageId: MessageId | null
}

/** Permissions in a channel that differ from the defaults. */
export type StoredChannelGroups = { readonly [Name in ChannelGroupSettingName]?: GroupSettingValue }

/** Returns the stored value of a permission, or its default (SUB-FIELD-41 to 44, 47). */
export function channelGroup(
  channel: Pick<Channel, 'creatorId' | 'groupSettings'>,
  setting: ChannelGroupSettingName,
): GroupSettingValue {
  const stored = channel.groupSettings[setting]
  if (stored !== undefined) return stored
  const { default: name } = CHANNEL_GROUP_SETTINGS[setting]
  if (name !== 'channel_creator') return SYSTEM_GROUP_ID[name]
  return { direct_members: channel.creatorId === null ? [] : [channel.creatorId], direct_subgroups: [] }
}

/** Settings whose members can read a private channel without a subscription (level 354). */
export const READ_BY = ['can_add_subscribers_group', 'can_subscribe_group'] as const

/**
 * Whether groups let anybody read the channel without a subscription, besides members, who can read public channels
 * anyway.
 */
export function hasReadersByGroup(channel: Parameters<typeof channelGroup>[0]): boolean {
  return READ_BY.some((setting) => {
    const value = channelGroup(channel, setting)
    if (typeof value === 'number') return value !== SYSTEM_GROUP_ID['role:nobody']
    return value.direct_members.length > 0 || value.direct_subgroups.length > 0
  })
}

/** One user's settings of a channel. Null means the user's default. */
export interface Subscription {
  readonly userId: UserId
  readonly channelId: ChannelId
  /** `#rrggbb`, lower case. */
  readonly color: string
  readonly isMuted: boolean
  readonly pinToTop: boolean
  readonly desktopNotifications: boolean | null
  readonly audibleNotifications: boolean | null
  readonly pushNotifications: boolean | null
  readonly emailNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
}

/** A period during which somebody was subscribed. */
export interface SubscriptionSpan {
  readonly userId: UserId
  readonly channelId: ChannelId
  /** Messages with higher IDs were received … */
  readonly afterMessageId: number
  /** … up to and including this one; null while the subscription lasts. */
  readonly toMessageId: number | null
  readonly afterEventId: number
  readonly toEventId: number | null
}

/** Whether the user received a message of the period's channel, or any message from it up to another one. */
export function wasReceivedIn(
  { afterMessageId, toMessageId }: Pick<SubscriptionSpan, 'afterMessageId' | 'toMessageId'>,
  messageId: number,
  upTo = messageId,
): boolean {
  return afterMessageId < upTo && (toMessageId === null || messageId <= toMessageId)
}

/** Colours that new subscriptions get in turn. They are easy to tell apart on white and on black. */
const COLORS = ['#5b8def', '#e07a5f', '#3d9970', '#f2b134', '#8e6bbf', '#2a9db5', '#c9577a', '#7a9a01'] as const

/** @param subscriptionCount how many subscriptions the user has had before */
export function colorOf(subscriptionCount: number): string {
  return COLORS[subscriptionCount % COLORS.length] ?? COLORS[0]
}

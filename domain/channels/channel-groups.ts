import type { UserId } from '../ids.ts'
import { namesGroup, storedGroupValue, withoutUser } from '../user-groups/group-setting-values.ts'
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettingName,
  type GroupSettingValue,
} from '../user-groups/group-settings.ts'
import { type Channel, channelGroup, type StoredChannelGroups } from './channel.ts'

const CHANNEL_GROUP_SETTING_NAMES = Object.keys(CHANNEL_GROUP_SETTINGS) as ChannelGroupSettingName[]

/** Group settings as a request gives them, by their names on the wire. */
export type WantedChannelGroups = { readonly [Name in ChannelGroupSettingName]?: GroupSettingValue | undefined }

/**
 * The settings as they are stored, each checked against what it takes.
 * @throws {BadRequestError} naming the setting that does not take its value
 */
export function storedChannelGroups(wanted: WantedChannelGroups): StoredChannelGroups {
  const entries = CHANNEL_GROUP_SETTING_NAMES.flatMap((name) => {
    const value = wanted[name]
    if (value === undefined) return []
    return [[name, storedGroupValue(name, CHANNEL_GROUP_SETTINGS[name], value)]]
  })
  return Object.fromEntries(entries) as StoredChannelGroups
}

/** The settings that name the group. */
export function namingChannelSettings(
  channel: Pick<Channel, 'creatorId' | 'groupSettings'>,
  groupId: number,
): ChannelGroupSettingName[] {
  return CHANNEL_GROUP_SETTING_NAMES.filter((name) => namesGroup(channelGroup(channel, name), groupId))
}

/**
 * The settings that name the user, each without them. What stood for the channel's creator is spelled out, so that it
 * does not name them again.
 */
export function withoutMember(
  channel: Pick<Channel, 'creatorId' | 'groupSettings'>,
  userId: UserId,
): readonly (readonly [ChannelGroupSettingName, GroupSettingValue])[] {
  return CHANNEL_GROUP_SETTING_NAMES.flatMap((name) => {
    const value = withoutUser(channelGroup(channel, name), userId)
    return value === undefined ? [] : [[name, value] as const]
  })
}

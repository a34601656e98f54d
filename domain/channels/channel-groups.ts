import type { UserId } from '../ids.ts'
import { namesGroup, storedGroupValue, withoutUser } from '../user-groups/group-setting-values.ts'
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettingName,
  type GroupSettingValue,
} from '../user-groups/group-settings.ts'
import { type Channel, channelGroup, type StoredChannelGroups } from './channel.ts'

/** Group settings as the request has them, by the names on the wire. */
export type WantedChannelGroups = { readonly [Name in ChannelGroupSettingName]?: GroupSettingValue | undefined }

/**
 * Returns the settings in stored form, after checking each.
 *
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

/** Returns the settings that name the group. */
export function namingChannelSettings(
  channel: Pick<Channel, 'creatorId' | 'groupSettings'>,
  groupId: number,
): ChannelGroupSettingName[] {
  return CHANNEL_GROUP_SETTING_NAMES.filter((name) => namesGroup(channelGroup(channel, name), groupId))
}

/**
 * Returns the settings that name the user, each without the user. A setting for the channel's creator is replaced by an
 * explicit one, so that it does not name the user again.
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

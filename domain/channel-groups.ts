import { type Channel, channelGroup, type StoredChannelGroups } from './channel.ts'
import { BadRequestError } from './errors.ts'
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettingName,
  type GroupSetting,
  type GroupSettingValue,
} from './group-settings.ts'
import type { UserId } from './ids.ts'
import { SYSTEM_GROUP_ID } from './system-groups.ts'

const CHANNEL_GROUP_SETTING_NAMES = Object.keys(CHANNEL_GROUP_SETTINGS) as ChannelGroupSettingName[]

/** Group settings as a request gives them, by their names on the wire. */
export type WantedChannelGroups = { readonly [Name in ChannelGroupSettingName]?: GroupSettingValue | undefined }

/** The user and group ids that the settings name, for looking them up. */
export function namedIn(wanted: WantedChannelGroups): { userIds: number[]; groupIds: number[] } {
  const values = CHANNEL_GROUP_SETTING_NAMES.flatMap((name) => wanted[name] ?? [])
  return {
    userIds: values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members)),
    groupIds: values.flatMap((value) => (typeof value === 'number' ? value : value.direct_subgroups)),
  }
}

/**
 * The settings as they are stored, each checked against what it takes.
 * @throws {BadRequestError} naming the setting that does not take its value
 */
export function storedChannelGroups(wanted: WantedChannelGroups): StoredChannelGroups {
  const entries = CHANNEL_GROUP_SETTING_NAMES.flatMap((name) => {
    const value = wanted[name]
    if (value === undefined) return []
    const stored = simplified(value)
    refuseUnfit(name, stored)
    return [[name, stored]]
  })
  return Object.fromEntries(entries) as StoredChannelGroups
}

/** One group and nobody else is that group; nobody at all is the group that nobody is in. */
function simplified(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const members = [...new Set(value.direct_members)].sort((a, b) => a - b)
  const subgroups = [...new Set(value.direct_subgroups)].sort((a, b) => a - b)
  const [only, ...others] = subgroups
  if (members.length > 0 || others.length > 0) return { direct_members: members, direct_subgroups: subgroups }
  return only ?? SYSTEM_GROUP_ID['role:nobody']
}

function refuseUnfit(name: ChannelGroupSettingName, value: GroupSettingValue): void {
  const setting: GroupSetting = CHANNEL_GROUP_SETTINGS[name]
  const groups = typeof value === 'number' ? [value] : value.direct_subgroups
  const has = (group: keyof typeof SYSTEM_GROUP_ID): boolean => groups.includes(SYSTEM_GROUP_ID[group])
  const refused =
    has('role:internet') ||
    (has('role:everyone') && !setting.allowsEveryone) ||
    (has('role:nobody') && (!setting.allowsNobody || groups.length > 1 || typeof value === 'object'))
  if (refused) throw new BadRequestError(`'${name}' does not take this group.`)
}

/**
 * The settings that name the user, each as it is without them. What stood for the channel's creator is spelled out then,
 * so that it does not name them again.
 */
export function withoutMember(
  channel: Pick<Channel, 'creatorId' | 'groupSettings'>,
  userId: UserId,
): readonly (readonly [ChannelGroupSettingName, GroupSettingValue])[] {
  return CHANNEL_GROUP_SETTING_NAMES.flatMap((name) => {
    const value = channelGroup(channel, name)
    if (typeof value === 'number' || !value.direct_members.includes(userId)) return []
    return [[name, { ...value, direct_members: value.direct_members.filter((id) => id !== userId) }] as const]
  })
}

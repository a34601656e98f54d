import * as settings from '../../generated/settings.ts'
import type { SystemGroupName } from './system-groups.ts'

/**
 * The users who have a permission: the ID of a user group, or an unnamed group of direct members (user IDs) and
 * subgroups (group IDs). The object has the names on the wire, because it is stored and answered unchanged.
 */
export type GroupSettingValue =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

/** Default of a group setting, and the values it takes. */
export interface GroupSetting {
  /** `channel_creator` and `group_creator` stand for the creator of the channel or group with the setting. */
  readonly default: SystemGroupName | 'channel_creator' | 'group_creator'
  readonly allowsNobody: boolean
  /** Whether guests may be included, as role:everyone. */
  readonly allowsEveryone: boolean
  /** Only a system group is accepted. */
  readonly requiresSystemGroup?: true
  /** If given, only these system groups are accepted. */
  readonly allowedSystemGroups?: readonly SystemGroupName[]
  /** For settings of user groups: the value of system groups. */
  readonly defaultForSystemGroups?: SystemGroupName
}

type Table<Names extends string> = Readonly<Record<Names, GroupSetting>>
type NameIn<Tables> = keyof Tables & string

/** Group settings of the organization (AUTH-21); POST /register and PATCH /realm. */
export type OrganizationGroupSettingName = NameIn<typeof settings.ORGANIZATION_GROUP_SETTINGS>
export const ORGANIZATION_GROUP_SETTINGS =
  settings.ORGANIZATION_GROUP_SETTINGS satisfies Table<OrganizationGroupSettingName>

export function isOrganizationGroupSetting(name: string): name is OrganizationGroupSettingName {
  return Object.hasOwn(ORGANIZATION_GROUP_SETTINGS, name)
}

/** Group settings of a channel (SUB-FIELD-41 to SUB-FIELD-47). */
export type ChannelGroupSettingName = NameIn<typeof settings.CHANNEL_GROUP_SETTINGS>
export const CHANNEL_GROUP_SETTINGS = settings.CHANNEL_GROUP_SETTINGS satisfies Table<ChannelGroupSettingName>
export const CHANNEL_GROUP_SETTING_NAMES = Object.keys(CHANNEL_GROUP_SETTINGS) as ChannelGroupSettingName[]

/** Group settings of a user group. */
export const USER_GROUP_GROUP_SETTINGS = settings.USER_GROUP_GROUP_SETTINGS satisfies Table<string>

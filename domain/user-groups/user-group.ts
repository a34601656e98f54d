import { type GroupSettingValue, USER_GROUP_GROUP_SETTINGS } from './group-settings.ts'
import { SYSTEM_GROUP_ID, type SystemGroupName } from './system-groups.ts'

export interface UserGroup {
  readonly id: number
  readonly name: string
  readonly isSystemGroup: boolean
  /** Stored group settings; absent ones have their defaults. */
  readonly groupSettings: Readonly<Record<string, GroupSettingValue>>
}

/** Display names of system groups; mentions must use the real names. */
const SYSTEM_GROUP_DISPLAY_NAMES: Readonly<Record<SystemGroupName, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
}

/** Returns the name that a mention shows. */
export function displayNameOf({ name, isSystemGroup }: UserGroup): string {
  return (isSystemGroup && SYSTEM_GROUP_DISPLAY_NAMES[name as SystemGroupName]) || name
}

/** Returns the setting for who may mention the group with notification. Everybody may mention it silently. */
export function whoMayMention({ isSystemGroup, groupSettings }: UserGroup): GroupSettingValue {
  const { default: ordinary, defaultForSystemGroups } = USER_GROUP_GROUP_SETTINGS.can_mention_group
  return groupSettings.can_mention_group ?? SYSTEM_GROUP_ID[isSystemGroup ? defaultForSystemGroups : ordinary]
}

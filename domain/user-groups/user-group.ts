import { type GroupSettingValue, USER_GROUP_GROUP_SETTINGS } from './group-settings.ts'
import { SYSTEM_GROUP_ID, type SystemGroupName } from './system-groups.ts'

export interface UserGroup {
  readonly id: number
  readonly name: string
  readonly isSystemGroup: boolean
  /** Stored group settings; what is absent has its default. */
  readonly groupSettings: Readonly<Record<string, GroupSettingValue>>
}

/** What readers see of the names of system groups, which nobody may write in any other way than the name itself. */
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

/** The name that a mention shows. */
export function displayNameOf({ name, isSystemGroup }: UserGroup): string {
  return (isSystemGroup && SYSTEM_GROUP_DISPLAY_NAMES[name as SystemGroupName]) || name
}

/** Who may mention the group so that its members are notified; everybody may name it silently. */
export function whoMayMention({ isSystemGroup, groupSettings }: UserGroup): GroupSettingValue {
  const { default: ordinary, defaultForSystemGroups } = USER_GROUP_GROUP_SETTINGS.can_mention_group
  return groupSettings.can_mention_group ?? SYSTEM_GROUP_ID[isSystemGroup ? defaultForSystemGroups : ordinary]
}

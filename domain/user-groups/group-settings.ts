import type { SystemGroupName } from './system-groups.ts'

/**
 * Who may do something: the id of a user group, or a group without a name, given by its direct members (user ids) and
 * subgroups (group ids). The object has the names of the wire, because it is stored and answered as it is.
 */
export type GroupSettingValue =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

/** What one group setting is set to at first, and which values it takes. */
export interface GroupSetting {
  /** `channel_creator` and `group_creator` stand for whoever creates the channel or group that has the setting. */
  readonly default: SystemGroupName | 'channel_creator' | 'group_creator'
  readonly allowsNobody: boolean
  /** Whether guests may be included, as role:everyone. */
  readonly allowsEveryone: boolean
  /** Only a system group is accepted. */
  readonly requiresSystemGroup?: true
  /** When given, only these system groups are accepted. */
  readonly allowedSystemGroups?: readonly SystemGroupName[]
  /** Settings of user groups: what system groups themselves have. */
  readonly defaultForSystemGroups?: SystemGroupName
}

const MEMBERS = { default: 'role:members', allowsNobody: true, allowsEveryone: false } as const
const EVERYONE = { default: 'role:everyone', allowsNobody: true, allowsEveryone: true } as const
const ADMINISTRATORS = { default: 'role:administrators', allowsNobody: true, allowsEveryone: false } as const
const NOBODY = { default: 'role:nobody', allowsNobody: true, allowsEveryone: false } as const

/** Of the organization (AUTH-21); POST /register and PATCH /realm. */
export const ORGANIZATION_GROUP_SETTINGS = {
  can_access_all_users_group: {
    default: 'role:everyone',
    allowsNobody: false,
    allowsEveryone: true,
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:everyone', 'role:members'],
  },
  can_add_custom_emoji_group: MEMBERS,
  can_add_subscribers_group: MEMBERS,
  can_create_bots_group: MEMBERS,
  can_create_groups: MEMBERS,
  can_create_private_channel_group: MEMBERS,
  can_create_public_channel_group: MEMBERS,
  can_create_web_public_channel_group: {
    default: 'role:owners',
    allowsNobody: true,
    allowsEveryone: false,
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  },
  can_create_write_only_bots_group: MEMBERS,
  can_delete_any_message_group: ADMINISTRATORS,
  can_delete_own_message_group: EVERYONE,
  can_invite_users_group: MEMBERS,
  can_manage_all_groups: { default: 'role:owners', allowsNobody: false, allowsEveryone: false },
  can_manage_billing_group: { default: 'role:administrators', allowsNobody: false, allowsEveryone: false },
  can_mention_many_users_group: { default: 'role:administrators', allowsNobody: true, allowsEveryone: true },
  can_move_messages_between_channels_group: MEMBERS,
  can_move_messages_between_topics_group: EVERYONE,
  can_resolve_topics_group: EVERYONE,
  can_set_delete_message_policy_group: { default: 'role:moderators', allowsNobody: true, allowsEveryone: false },
  can_set_topics_policy_group: { default: 'role:members', allowsNobody: true, allowsEveryone: true },
  can_summarize_topics_group: EVERYONE,
  create_multiuse_invite_group: ADMINISTRATORS,
  direct_message_initiator_group: EVERYONE,
  direct_message_permission_group: EVERYONE,
  workplace_users_group: MEMBERS,
} as const satisfies Record<string, GroupSetting>

export type OrganizationGroupSettingName = keyof typeof ORGANIZATION_GROUP_SETTINGS

export function isOrganizationGroupSetting(name: string): name is OrganizationGroupSettingName {
  return Object.hasOwn(ORGANIZATION_GROUP_SETTINGS, name)
}

/** Of a channel (SUB-FIELD-41 to SUB-FIELD-47). */
export const CHANNEL_GROUP_SETTINGS = {
  can_add_subscribers_group: NOBODY,
  can_administer_channel_group: { default: 'channel_creator', allowsNobody: true, allowsEveryone: false },
  can_create_topic_group: EVERYONE,
  can_delete_any_message_group: NOBODY,
  can_delete_own_message_group: { default: 'role:nobody', allowsNobody: true, allowsEveryone: true },
  can_move_messages_out_of_channel_group: { default: 'role:nobody', allowsNobody: true, allowsEveryone: true },
  can_move_messages_within_channel_group: { default: 'role:nobody', allowsNobody: true, allowsEveryone: true },
  can_remove_subscribers_group: ADMINISTRATORS,
  can_resolve_topics_group: { default: 'role:nobody', allowsNobody: true, allowsEveryone: true },
  can_send_message_group: EVERYONE,
  can_subscribe_group: NOBODY,
} as const satisfies Record<string, GroupSetting>

export type ChannelGroupSettingName = keyof typeof CHANNEL_GROUP_SETTINGS

const GROUP_CREATOR = { default: 'group_creator', allowsNobody: true, allowsEveryone: false } as const

/** Of a user group. */
export const USER_GROUP_GROUP_SETTINGS = {
  can_add_members_group: { ...GROUP_CREATOR, defaultForSystemGroups: 'role:nobody' },
  can_join_group: { ...NOBODY, defaultForSystemGroups: 'role:nobody' },
  can_leave_group: { ...EVERYONE, defaultForSystemGroups: 'role:nobody' },
  can_manage_group: { ...GROUP_CREATOR, defaultForSystemGroups: 'role:nobody' },
  can_mention_group: { ...EVERYONE, defaultForSystemGroups: 'role:nobody' },
  can_remove_members_group: { ...NOBODY, defaultForSystemGroups: 'role:nobody' },
} as const satisfies Record<string, GroupSetting>

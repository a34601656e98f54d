import type { GroupSettingValue } from '../user-groups/group-settings.ts'
import { isSystemGroupId, SYSTEM_GROUP_ID, type SystemGroupId } from '../user-groups/system-groups.ts'
import type { OrganizationSettingName, OrganizationSettings } from './organization-settings.ts'

/**
 * Older forms of settings, which deployed clients read without a default: each follows from the setting that replaced
 * it.
 */
export function olderSettings(settings: OrganizationSettings) {
  return {
    allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    create_public_stream_policy: policyCode(settings.can_create_public_channel_group, CHANNEL_POLICIES),
    create_private_stream_policy: policyCode(settings.can_create_private_channel_group, CHANNEL_POLICIES),
    create_web_public_stream_policy: policyCode(
      settings.can_create_web_public_channel_group,
      WEB_PUBLIC_CHANNEL_POLICIES,
    ),
    wildcard_mention_policy: policyCode(settings.can_mention_many_users_group, WILDCARD_MENTION_POLICIES),
  }
}

type OlderName = keyof ReturnType<typeof olderSettings>

/** Older names of settings that have one. */
const OLDER_NAMES: Readonly<Partial<Record<OrganizationSettingName, OlderName>>> = {
  message_edit_history_visibility_policy: 'allow_edit_history',
  topics_policy: 'mandatory_topics',
  can_create_public_channel_group: 'create_public_stream_policy',
  can_create_private_channel_group: 'create_private_stream_policy',
  can_create_web_public_channel_group: 'create_web_public_stream_policy',
  can_mention_many_users_group: 'wildcard_mention_policy',
}

/** Returns the changed field for clients that know only the older form of a setting; empty if there is none. */
export function olderForm(name: OrganizationSettingName, settings: OrganizationSettings): Record<string, unknown> {
  const older = OLDER_NAMES[name]
  return older === undefined ? {} : { [older]: olderSettings(settings)[older] }
}

/** Code of a policy and the system group it stands for, from the smallest group to the largest. */
type Policies<Code extends number> = readonly (readonly [SystemGroupId, Code])[]
const CHANNEL_POLICIES: Policies<1 | 2 | 3 | 4> = [
  [SYSTEM_GROUP_ID['role:administrators'], 2],
  [SYSTEM_GROUP_ID['role:moderators'], 4],
  [SYSTEM_GROUP_ID['role:fullmembers'], 3],
  [SYSTEM_GROUP_ID['role:members'], 1],
]
const WEB_PUBLIC_CHANNEL_POLICIES: Policies<2 | 4 | 6 | 7> = [
  [SYSTEM_GROUP_ID['role:nobody'], 6],
  [SYSTEM_GROUP_ID['role:owners'], 7],
  [SYSTEM_GROUP_ID['role:administrators'], 2],
  [SYSTEM_GROUP_ID['role:moderators'], 4],
]
const WILDCARD_MENTION_POLICIES: Policies<1 | 2 | 3 | 5 | 6 | 7> = [
  [SYSTEM_GROUP_ID['role:nobody'], 6],
  [SYSTEM_GROUP_ID['role:administrators'], 5],
  [SYSTEM_GROUP_ID['role:moderators'], 7],
  [SYSTEM_GROUP_ID['role:fullmembers'], 3],
  [SYSTEM_GROUP_ID['role:members'], 2],
  [SYSTEM_GROUP_ID['role:everyone'], 1],
]

/**
 * Returns the narrowest policy that includes everybody in the group. A client may then offer actions that the server
 * refuses, but never hides allowed ones. Custom groups get the widest policy, because their members are unknown here.
 * IDs of system groups ascend with their size.
 */
function policyCode<Code extends number>(value: GroupSettingValue, policies: Policies<Code>): Code {
  const groupId = typeof value === 'number' && isSystemGroupId(value) ? value : Number.POSITIVE_INFINITY
  const policy = policies.find(([policyGroupId]) => policyGroupId >= groupId) ?? policies.at(-1)
  if (policy === undefined) throw new Error('no policies to choose from')
  return policy[1]
}

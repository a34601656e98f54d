import { setTimeout } from 'node:timers/promises'
import { canonical, isObject, type Json, listOf } from '../wire/values.ts'
import { type Account, operationNamed, type Values } from './account.ts'
import { asSent } from './changed-settings.ts'
import type { Deployment } from './deployment.ts'
import { described } from './described.ts'

/** Settings of the organization that a run changes for a moment. The last is a group's id, or an anonymous group. */
const shared = [
  ...['allow_message_editing', 'enable_guest_user_indicator', 'message_content_edit_limit_seconds'],
  ...['message_edit_history_visibility_policy', 'can_create_groups'],
] as const
export type SharedSettings = Readonly<Record<(typeof shared)[number], unknown>>

/** The usual values before a run. */
const usual = {
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  move_messages_between_streams_limit_seconds: 604_800,
  move_messages_within_stream_limit_seconds: 604_800,
  message_edit_history_visibility_policy: 'all',
  moderation_request_channel_id: -1,
  topics_policy: 'allow_empty_topic',
  welcome_message_custom_text: '',
} as const

/** Settings whose usual value is a system group, whose id differs between servers. */
const usualGroups = [
  ...['can_access_all_users_group', 'can_move_messages_between_channels_group'],
  ...['can_move_messages_between_topics_group', 'can_resolve_topics_group'],
] as const

export async function sharedSettings(reader: Account): Promise<SharedSettings> {
  const { body } = await described(reader, ['realm'])
  return Object.fromEntries(shared.map((name) => [name, body[`realm_${name}`]])) as SharedSettings
}

/**
 * `group` plus some people of this run, so that other runs see that one is in progress, and what the value was before.
 */
export function heldBy(group: unknown, people: readonly Account[]): unknown {
  const ids = people.map(({ userId }) => userId).sort((one, other) => one - other)
  if (!isObject(group)) return { direct_members: ids, direct_subgroups: [group] }
  const { direct_members: members, direct_subgroups } = group
  return { direct_members: [...(members as number[]), ...ids], direct_subgroups }
}

/**
 * Reads the settings while no run of the suite is changing them: waits for other runs, and restores what a killed one
 * has left. Two runs that changed them at once would each take the other's value for the organization's own.
 */
export async function settledSettings(owner: Account): Promise<SharedSettings> {
  // If nothing changes for this long, the run that set it was killed.
  const longestHoldMs = owner.waitMs
  let [seen, since] = [await sharedSettings(owner), performance.now()]
  for (const startedAt = since; performance.now() - startedAt < 3 * longestHoldMs; ) {
    const before = await groupBefore(owner, seen.can_create_groups)
    if (before === undefined) return seen
    if (performance.now() - since > longestHoldMs) {
      const restored = { new: before, old: seen.can_create_groups }
      await owner.call('update-realm', { ...usual, ...(await usualOfGroups(owner)), can_create_groups: restored })
    }
    await setTimeout(longestHoldMs / 80)
    const present = await sharedSettings(owner)
    if (canonical(present) !== canonical(seen)) [seen, since] = [present, performance.now()]
  }
  return seen
}

/** The default groups, as the server describes them. */
async function usualOfGroups(reader: Account): Promise<Values> {
  const { body } = await described(reader, ['realm', 'realm_user_groups'])
  const { realm: known = {} } = body.server_supported_permission_settings ?? {}
  return Object.fromEntries(
    usualGroups.flatMap((name) => {
      const group = listOf(body.realm_user_groups).find((one) => one.name === known[name]?.default_group_name)
      return group === undefined ? [] : [[name, { new: group.id }]]
    }),
  )
}

/**
 * Runs `body` while the organization has `settings`. Other runs of the suite wait for it, and restore the settings if
 * it is killed. A setting that is a group takes its id or an anonymous group.
 */
export async function whileSet(
  owner: Account,
  people: readonly Account[],
  settings: Values,
  body: () => Promise<void>,
): Promise<void> {
  const { can_create_groups: group } = await settledSettings(owner)
  const { body: before } = await described(owner, ['realm'])
  const held = heldBy(group, people)
  const names = Object.keys(settings)
  const wanted = Object.fromEntries(names.map((name) => [name, asSent(name, settings[name])]))
  const former = Object.fromEntries(names.map((name) => [name, asSent(name, before[`realm_${name}`])]))
  try {
    await owner.must('update-realm', { can_create_groups: { new: held, old: group } as Json })
    await owner.must('update-realm', wanted)
    await body()
  } finally {
    const restored = { new: group, old: held } as Json
    await owner.call('update-realm', { ...former, can_create_groups: restored })
  }
}

/**
 * The group to which a run has added its people; undefined if none did. People it has deactivated since are no longer
 * in it.
 */
async function groupBefore(reader: Account, group: unknown): Promise<unknown> {
  if (!isObject(group)) return undefined
  const { direct_members: members, direct_subgroups: subgroups } = group
  if (!Array.isArray(members) || !Array.isArray(subgroups) || subgroups.length !== 1) return undefined
  for (const user_id_or_email of members) {
    const { body } = await reader.call('get-user', { user_id_or_email })
    if (!String(body?.user?.full_name).startsWith('Conformance User')) return undefined
  }
  return subgroups[0]
}

/**
 * If the run may change the organization's settings, it waits here until no other run does, and restores what a killed
 * one has left. At its end it restores what it has changed.
 */
export async function settleOrganization(deployment: Deployment): Promise<void> {
  const operation = operationNamed(deployment.contract, 'update-realm')
  const owner = deployment.atLeast('owner')
  const changesNothing =
    owner === undefined || (deployment.notAsked(operation) ?? deployment.notDocumented(operation)) !== undefined
  const [reader] = deployment.given
  try {
    if (!changesNothing) await settledSettings(owner)
    if (reader !== undefined) await deployment.settings.remember(reader)
  } catch {
    // Checks report what is wrong there.
  }
}

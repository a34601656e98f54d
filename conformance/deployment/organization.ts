import { setTimeout } from 'node:timers/promises'
import { isObject } from '../wire/values.ts'
import { type Account, operationNamed } from './account.ts'
import type { Deployment } from './deployment.ts'

/** What a run sets for everybody, for a moment. */
export interface SharedSettings {
  readonly allow_message_editing: unknown
  readonly enable_guest_user_indicator: unknown
  readonly message_content_edit_limit_seconds: unknown
  readonly message_edit_history_visibility_policy: unknown
  /** A group's ID, or an unnamed group. */
  readonly can_create_groups: unknown
}

/** What organizations have before a run. */
const usual = {
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  move_messages_between_streams_limit_seconds: 604_800,
  move_messages_within_stream_limit_seconds: 604_800,
  message_edit_history_visibility_policy: 'all',
} as const

/** Without a change for this long, the run that set it was killed. */
const longestHoldMs = 20_000
const pauseMs = 250

export async function sharedSettings(reader: Account): Promise<SharedSettings> {
  const { body } = await reader.must('register-queue', { event_types: [], fetch_event_types: ['realm'] })
  await reader.call('delete-queue', { queue_id: body.queue_id })
  return {
    allow_message_editing: body.realm_allow_message_editing,
    enable_guest_user_indicator: body.realm_enable_guest_user_indicator,
    message_content_edit_limit_seconds: body.realm_message_content_edit_limit_seconds,
    message_edit_history_visibility_policy: body.realm_message_edit_history_visibility_policy,
    can_create_groups: body.realm_can_create_groups,
  }
}

/** `group` and some of the run's people: who sees it knows that a run is under way, and what was there before. */
export function heldBy(group: unknown, people: readonly Account[]): unknown {
  const ids = people.map(({ userId }) => userId).sort((one, other) => one - other)
  if (!isObject(group)) return { direct_members: ids, direct_subgroups: [group] }
  const { direct_members: members, direct_subgroups } = group
  return { direct_members: [...(members as number[]), ...ids], direct_subgroups }
}

/**
 * The settings when no run of the suite is changing them: waits for one that is, and puts back what a killed one has left
 * behind. Two runs that change them at once would each take the other's value for the organization's own.
 */
export async function settledSettings(owner: Account): Promise<SharedSettings> {
  let [seen, since] = [await sharedSettings(owner), performance.now()]
  for (const startedAt = since; performance.now() - startedAt < 3 * longestHoldMs; ) {
    const before = await groupBefore(owner, seen.can_create_groups)
    if (before === undefined) return seen
    if (performance.now() - since > longestHoldMs) {
      const restored = { new: before, old: seen.can_create_groups }
      await owner.call('update-realm', { ...usual, can_create_groups: restored })
    }
    await setTimeout(pauseMs)
    const present = await sharedSettings(owner)
    if (JSON.stringify(present) !== JSON.stringify(seen)) [seen, since] = [present, performance.now()]
  }
  return seen
}

/** What a run has put its people beside; undefined where none did. Those whom it has deactivated since are gone from there. */
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

/** Where the run may change what is set for everybody, it begins when no other run does, and without what a killed one left. */
export async function settleOrganization(deployment: Deployment): Promise<void> {
  const operation = operationNamed(deployment.contract, 'update-realm')
  const owner = deployment.atLeast('owner')
  if (owner === undefined || (deployment.notAsked(operation) ?? deployment.notDocumented(operation)) !== undefined)
    return
  await settledSettings(owner).catch(() => undefined) // what is wrong there is for checks to say
}

import type { CommittedReaders } from '../../db/shared-rows.ts'
import { DAY_SECONDS } from '../../domain/clock.ts'
import type { EncodedJson } from '../../domain/json-pieces.ts'
import type { OrganizationState } from '../../domain/organization/organization-state.ts'
import { systemGroupMembers, toWireUserGroup, type UserGroupDetails } from '../../domain/user-groups/wire-user-group.ts'
import type { User } from '../../domain/users/user.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { ListJson } from '../item-json.ts'
import type { StatePart } from './state-request.ts'

/** The JSON of the groups at one moment. */
interface Made {
  readonly users: readonly User[]
  readonly organization: OrganizationState
  /** UNIX seconds until which it is valid. At that time the next account becomes a full member. */
  readonly until: number
  readonly all: EncodedJson
  readonly inUse: EncodedJson
}

const made = new WeakMap<readonly UserGroupDetails[], Made>()

/** Fetch type `realm_user_groups`: groups that people made, and those that follow from roles. */
export const part: StatePart = async (read, _actor, { isWanted, capabilities, pauses }) => {
  if (!isWanted('realm_user_groups')) return {}
  const { include_deactivated_groups: isKnown = false } = capabilities
  return { realm_user_groups: (await userGroupsJson(read, isKnown, pauses)).as() }
}

/** Returns all groups; deactivated ones only if they are included. */
export async function userGroupsJson(
  read: CommittedReaders,
  includesDeactivated: boolean,
  pauses: Pauses,
): Promise<EncodedJson> {
  const { organization } = read
  const [users, groups] = [await read.shared.users(pauses), await read.shared.userGroups(pauses)]
  let json = made.get(groups)
  if (json?.users !== users || json.organization !== organization || json.until <= organization.now) {
    json = await groupsJson(users, groups, organization, pauses)
    made.set(groups, json)
  }
  return includesDeactivated ? json.all : json.inUse
}

async function groupsJson(
  users: readonly User[],
  groups: readonly UserGroupDetails[],
  organization: OrganizationState,
  pauses: Pauses,
): Promise<Made> {
  const { waitingPeriodStart } = organization
  const inUse = users.filter(({ isActive }) => isActive)
  const active = new Set(inUse.map(({ id }) => id))
  const isNew = ({ dateJoined }: Pick<User, 'dateJoined'>): boolean => dateJoined > waitingPeriodStart
  const system = systemGroupMembers(inUse, isNew)
  const [all, used] = [new ListJson(), new ListJson()]
  await pauses.map(groups, (group) => {
    const stored = group.memberIds.filter((id) => active.has(id))
    const json = JSON.stringify(toWireUserGroup(group, group.isSystemGroup ? (system.get(group.id) ?? []) : stored))
    all.add(json)
    if (!group.isDeactivated) used.add(json)
  })
  const periodSeconds = organization.settings.waiting_period_threshold * DAY_SECONDS
  const ends = inUse.filter(isNew).map(({ dateJoined }) => dateJoined + periodSeconds)
  return {
    users,
    organization,
    until: ends.reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY),
    all: all.end(),
    inUse: used.end(),
  }
}

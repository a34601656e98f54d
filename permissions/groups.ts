import { DAY_SECONDS } from '../domain/clock.ts'
import type { GroupSettingValue } from '../domain/group-settings.ts'
import type { Organization } from '../domain/organization-settings.ts'
import { isSystemGroupId, systemGroupContains } from '../domain/system-groups.ts'
import type { Actor } from './actor.ts'

/**
 * Whether `actor` is in the group that a setting names.
 * @param nowSeconds UNIX seconds, for the waiting period of new members
 */
export function isInGroup(
  value: GroupSettingValue,
  actor: Pick<Actor, 'id' | 'role' | 'dateJoined'>,
  organization: Organization,
  nowSeconds: number,
): boolean {
  const isNew = isInWaitingPeriod(actor, organization, nowSeconds)
  const inSystemGroup = (groupId: number): boolean =>
    isSystemGroupId(groupId) && systemGroupContains(groupId, actor.role, { isNew })
  if (typeof value === 'number') return inSystemGroup(value)
  return value.direct_members.includes(actor.id) || value.direct_subgroups.some(inSystemGroup)
}

/** Whether an account is so new that it is no full member yet. @param nowSeconds UNIX seconds */
export function isInWaitingPeriod(
  { dateJoined }: Pick<Actor, 'dateJoined'>,
  organization: Organization,
  nowSeconds: number,
): boolean {
  return dateJoined > waitingPeriodStart(organization, nowSeconds)
}

/** Who joined after this is no full member yet. UNIX seconds. */
export function waitingPeriodStart({ settings }: Organization, nowSeconds: number): number {
  return nowSeconds - settings.waiting_period_threshold * DAY_SECONDS
}

import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../db/repositories.ts'
import { UnauthorizedPrincipalError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import {
  CHANGEABLE_SETTING_NAMES,
  changedBy,
  ORGANIZATION_SETTING_NAMES,
  type OrganizationSettingName,
  type OrganizationSettings,
} from '../domain/organization/organization-settings.ts'
import { withoutUser } from '../domain/user-groups/group-setting-values.ts'
import { isOrganizationGroupSetting, ORGANIZATION_GROUP_SETTINGS } from '../domain/user-groups/group-settings.ts'
import { ROLE } from '../domain/users/roles.ts'
import type { EventOf, Input } from '../generated/operations.ts'
import type { Actor } from '../permissions/actor.ts'
import { acceptGroupValue, type GroupValueUpdate } from './accept-group-value.ts'

type Wanted = Input<'update-realm'>
/** Settings that have changed, with their new values. */
type Changes = EventOf<'realm', 'update_dict'>['data']

/**
 * Gives settings of the organization new values, and tells everybody, each in an event of its own and in the order of the
 * table. Setting the present value changes nothing.
 * @throws {UnauthorizedPrincipalError} where a setting is for owners to change, whatever its value
 */
export async function changeOrganization(tx: Tx, actor: Actor, wanted: Wanted): Promise<Changes> {
  const names = CHANGEABLE_SETTING_NAMES.filter((name) => wanted[name] !== undefined)
  if (actor.role !== ROLE.owner && names.some((name) => changedBy(name) === 'owner')) {
    throw new UnauthorizedPrincipalError('owner')
  }
  const present = tx.organization.settings
  const changes: Changes = {}
  for (const name of names) {
    const value = await accepted(tx, name, wanted)
    if (!isDeepStrictEqual(value, present[name])) Object.assign(changes, { [name]: value })
  }
  await change(tx, changes)
  return changes
}

async function accepted(tx: Tx, name: OrganizationSettingName, wanted: Wanted): Promise<unknown> {
  const value = wanted[name as keyof Wanted]
  if (!isOrganizationGroupSetting(name)) return value
  const present = tx.organization.settings[name]
  return acceptGroupValue(tx, name, ORGANIZATION_GROUP_SETTINGS[name], present, value as GroupValueUpdate)
}

/** Takes an account that was deactivated out of every setting that names it (STATE-USER-2). */
export async function leaveOrganizationSettings(tx: Tx, userId: UserId): Promise<void> {
  const { settings } = tx.organization
  const left = ORGANIZATION_SETTING_NAMES.flatMap((name) => {
    const value = isOrganizationGroupSetting(name) ? withoutUser(settings[name], userId) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  await change(tx, Object.fromEntries(left))
}

async function change(tx: Tx, changes: Partial<OrganizationSettings>): Promise<void> {
  const entries = Object.entries(changes)
  if (entries.length === 0) return
  await tx.organizations.updateSettings(changes)
  for (const [name, value] of entries) {
    tx.events.append(
      { type: 'realm', op: 'update_dict', property: 'default', data: { [name]: value } },
      { to: 'everyone' },
    )
  }
}

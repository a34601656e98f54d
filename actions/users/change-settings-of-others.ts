import type { Tx } from '../../db/repositories.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import { MAX_SETTINGS_OF_OTHERS } from '../../domain/limits.ts'
import { hasRole } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import { USER_SETTING_NAMES, type UserSettings } from '../../domain/users/user-settings.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Input } from '../../generated/operations.ts'
import { usersById } from '../../permissions/access-user.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accessGroup } from '../../permissions/manage-group.ts'
import { editedSettings, storeSettings } from './store-settings.ts'

type Target = NonNullable<Input<'update-settings'>['target_users']>

/**
 * Settings that nobody may change for others: who gets their data, who sees their address, whether their drafts are
 * deleted.
 */
const OWN_AFFAIRS = ['allow_private_data_export', 'email_address_visibility', 'enable_drafts_synchronization'] as const
/** Parameters that are not settings. */
const OF_OWN_ACCOUNT = ['full_name', 'email', 'old_password', 'new_password'] as const

/** @throws {UnauthorizedPrincipalError} {BadRequestError} without looking at what is stored */
export function refuseForOthers(actor: Pick<Actor, 'role'>, input: Input<'update-settings'>): void {
  if (!hasRole(actor.role, 'administrator')) throw new UnauthorizedPrincipalError()
  const own = [...OWN_AFFAIRS, ...OF_OWN_ACCOUNT].find((name) => input[name] !== undefined && input[name] !== '')
  if (own !== undefined) throw new BadRequestError(`${own} cannot be changed for others (target_users)`)
}

/**
 * Changes the settings of the users that `target` selects, who must exist, and tells each of them. Users who have
 * changed a setting themselves keep it if `target` says so.
 *
 * @throws {BadRequestError} for unknown users and groups, and for too many at once
 */
export async function changeSettingsOfOthers(
  tx: Tx,
  actor: Actor,
  target: Target,
  wanted: Partial<UserSettings>,
  host: string,
): Promise<void> {
  const users = await targetsOf(tx, actor, target)
  const names = USER_SETTING_NAMES.filter((name) => wanted[name] !== undefined)
  if (users.length * names.length > MAX_SETTINGS_OF_OTHERS) {
    throw new BadRequestError(
      `target_users: ${users.length} users and ${names.length} settings are more than ${MAX_SETTINGS_OF_OTHERS} changes; send fewer at once`,
    )
  }
  const pauses = new Pauses()
  for (const user of users) {
    const isKept = target.skip_if_already_edited === true
    const kept = isKept ? await editedSettings(tx, user.id, await tx.users.settingsOf(user.id)) : new Set()
    const given = names.filter((name) => !kept.has(name)).map((name) => [name, wanted[name]])
    await storeSettings(tx, user, Object.fromEntries(given), { by: 'others', host })
    await pauses.letOthers()
  }
}

async function targetsOf(
  tx: Tx,
  actor: Actor,
  { user_ids: ids = [], group_ids: groupIds = [] }: Target,
): Promise<User[]> {
  const named = await usersById(tx, actor, ids)
  const unknown = ids.find((id) => !named.has(id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID: ${unknown}`)
  for (const id of groupIds) await accessGroup(tx, id)
  const members = await tx.userGroups.memberIds([...new Set(groupIds)], tx.organization.waitingPeriodStart)
  const all = await tx.users.byIds([...new Set([...[...named.values()].map(({ id }) => id), ...members])])
  return all.filter((user) => user.isActive && !user.isBot)
}

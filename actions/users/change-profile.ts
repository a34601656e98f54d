import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { MAX_PROFILE_HTML_BYTES, MAX_PROFILE_PEOPLE } from '../../domain/limits.ts'
import { renderDescription } from '../../domain/markdown/render.ts'
import { checkProfileText, isMarkdownType } from '../../domain/profiles/check-profile-value.ts'
import { FIELD_TYPE, type ProfileField, type ProfileValue, profileOf } from '../../domain/profiles/profile-fields.ts'
import { hasRole } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import type { Actor } from '../../permissions/actor.ts'
import { visibleUsers } from '../../permissions/visible-users.ts'
import { profileFieldOf } from '../profile-fields.ts'
import { announceUser } from './user-visibility.ts'

/** Value of a custom profile field: a text, user IDs, or null, which removes the stored value (CPF-1 to CPF-6). */
export interface ProfileUpdate {
  readonly id: number
  readonly value: string | readonly number[] | null
}

/**
 * Changes a user's profile, all or nothing, and announces each value that changed.
 *
 * @throws {BadRequestError} for an unknown field, a field that `actor` may not change (PROFILE-4), or a value that does
 * not fit it
 */
export async function changeProfile(
  tx: Tx,
  actor: Actor,
  user: User,
  updates: readonly ProfileUpdate[],
): Promise<void> {
  const fields = await tx.customProfileFields.all()
  const changes = new Map<ProfileField, string | null>()
  for (const { id, value } of updates) {
    const field = profileFieldOf(fields, id)
    if (!field.editable_by_user && !hasRole(actor.role, 'administrator')) {
      throw new BadRequestError('You are not allowed to change this field. Contact an administrator to update it.')
    }
    changes.set(field, value === null ? null : await textOf(tx, actor, field, value))
  }
  const values: Record<string, ProfileValue> = { ...profileOf(user) }
  for (const [field, value] of changes) {
    if (value === (values[field.id]?.value ?? null)) continue
    const stored = value === null ? undefined : shown(field, value)
    if (stored) values[field.id] = stored
    else delete values[field.id]
    const custom_profile_field = { id: field.id, ...(stored ?? { value: null }) }
    const person = { user_id: user.id, custom_profile_field }
    await announceUser(tx, user, { type: 'realm_user', op: 'update', person })
  }
  if (htmlBytes(values) > Math.max(MAX_PROFILE_HTML_BYTES, htmlBytes(profileOf(user)))) {
    throw new BadRequestError(`The values of a profile have at most ${MAX_PROFILE_HTML_BYTES} bytes as HTML.`)
  }
  await tx.profiles.replace(user.id, values)
}

function htmlBytes(profile: Readonly<Record<string, ProfileValue>>): number {
  return Object.values(profile).reduce((sum, value) => sum + Buffer.byteLength(value.rendered_value ?? ''), 0)
}

function shown({ type }: ProfileField, value: string): ProfileValue {
  const isRendered = isMarkdownType(type) && value.trim() !== ''
  return { value, ...(isRendered && { rendered_value: renderDescription(value) }) }
}

/** Returns the text to store. @throws {BadRequestError} if the value does not fit the field */
async function textOf(tx: Tx, actor: Actor, field: ProfileField, value: string | readonly number[]): Promise<string> {
  if (field.type === FIELD_TYPE.people) {
    if (typeof value === 'string') throw new BadRequestError('User IDs is not a list')
    await refuseNobody(tx, actor, value)
    return JSON.stringify(value)
  }
  if (typeof value !== 'string') throw new BadRequestError(`${field.name} is not a string`)
  checkProfileText(field, value)
  return value
}

/** @throws {BadRequestError} unless all are active people */
async function refuseNobody(tx: Tx, actor: Actor, ids: readonly number[]): Promise<void> {
  if (ids.length > MAX_PROFILE_PEOPLE) {
    throw new BadRequestError(`A field of a profile names at most ${MAX_PROFILE_PEOPLE} people.`)
  }
  const found = await visibleUsers(tx, actor, await tx.users.byIds(ids as UserId[]))
  const users = new Map(found.map((user) => [user.id, user]))
  for (const id of ids) {
    const user = users.get(id as UserId)
    if (!user) throw new BadRequestError(`Invalid user ID: ${id}`)
    if (user.isBot) throw new BadRequestError(`User with ID ${id} is a bot`)
    if (!user.isActive) throw new BadRequestError(`User with ID ${id} is deactivated`)
  }
}

import type { Tx } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { MAX_PROFILE_FIELDS } from '../domain/limits.ts'
import {
  checkProfileField,
  type FieldData,
  knownAccount,
  storedFieldData,
} from '../domain/profiles/check-profile-field.ts'
import { isChoice } from '../domain/profiles/check-profile-value.ts'
import { FIELD_TYPE, type ProfileField } from '../domain/profiles/profile-fields.ts'

/** The given fields of a change; others stay as they are. */
export interface FieldChange {
  readonly name?: string | undefined
  readonly hint?: string | undefined
  readonly field_data?: FieldData | undefined
  readonly display_in_profile_summary?: boolean | undefined
  readonly required?: boolean | undefined
  readonly editable_by_user?: boolean | undefined
  readonly use_for_user_matching?: boolean | undefined
}

const TYPES: readonly number[] = Object.values(FIELD_TYPE)

/**
 * Adds a field at the end, and announces it. A field for a known service gets that service's name and hint.
 *
 * @returns its ID
 * @throws {BadRequestError} if it is invalid, or there are too many
 */
export async function addProfileField(tx: Tx, type: number, given: FieldChange): Promise<number> {
  if (!TYPES.includes(type)) throw new BadRequestError('Invalid field type.')
  const known = await tx.customProfileFields.all()
  const service = knownAccount(type, given.field_data ?? {})
  const field = {
    type,
    order: (known.at(-1)?.order ?? 0) + 1,
    name: service?.name ?? given.name?.trim() ?? '',
    hint: service?.hint ?? given.hint ?? '',
    field_data: storedFieldData(type, given.field_data ?? {}),
    display_in_profile_summary: given.display_in_profile_summary ?? false,
    required: given.required ?? false,
    editable_by_user: given.editable_by_user ?? true,
    use_for_user_matching: given.use_for_user_matching ?? false,
  }
  checkProfileField(field, known)
  if (known.length >= MAX_PROFILE_FIELDS) {
    throw new BadRequestError(`A profile has at most ${MAX_PROFILE_FIELDS} custom fields.`)
  }
  const id = await tx.customProfileFields.insert(field)
  await tell(tx)
  return id
}

/**
 * Changes the given fields. Removes values that are no longer among the choices.
 *
 * @throws {BadRequestError} if the field does not exist, or a change is invalid
 */
export async function changeProfileField(tx: Tx, id: number, given: FieldChange): Promise<void> {
  const known = await tx.customProfileFields.all()
  const former = profileFieldOf(known, id)
  const field: ProfileField = {
    ...former,
    name: given.name?.trim() ?? former.name,
    hint: given.hint ?? former.hint,
    field_data: given.field_data === undefined ? former.field_data : storedFieldData(former.type, given.field_data),
    display_in_profile_summary: given.display_in_profile_summary ?? former.display_in_profile_summary ?? false,
    required: given.required ?? former.required,
    editable_by_user: given.editable_by_user ?? former.editable_by_user,
    use_for_user_matching: given.use_for_user_matching ?? former.use_for_user_matching,
  }
  const ofService = knownAccount(former.type, former.field_data) !== undefined
  const isOther = (['name', 'hint', 'field_data'] as const).some((key) => field[key] !== former[key])
  if (ofService && isOther) throw new BadRequestError('Default custom field cannot be updated.')
  checkProfileField(
    field,
    known.filter((one) => one !== former),
  )
  const before = { ...former, display_in_profile_summary: former.display_in_profile_summary ?? false }
  if (JSON.stringify(before, Object.keys(field)) === JSON.stringify(field, Object.keys(field))) return
  await tx.customProfileFields.update(field)
  const mayLoseValues = field.type === FIELD_TYPE.choice && field.field_data !== former.field_data
  const isGone = (value: string): boolean => !isChoice(field.field_data, value)
  await tell(tx, mayLoseValues && (await tx.profiles.drop(id, isGone)))
}

/** Removes a field with all of its values. @throws {BadRequestError} if it does not exist */
export async function removeProfileField(tx: Tx, id: number): Promise<void> {
  profileFieldOf(await tx.customProfileFields.all(), id)
  await tx.customProfileFields.delete(id)
  await tell(tx, await tx.profiles.drop(id, () => true))
}

/** @param ids of all fields, each once; unknown ones are ignored @throws {BadRequestError} */
export async function reorderProfileFields(tx: Tx, ids: readonly number[]): Promise<void> {
  const known = await tx.customProfileFields.all()
  const places = new Map(ids.map((id, place) => [id, place]))
  if (places.size !== ids.length || known.some(({ id }) => !places.has(id))) {
    throw new BadRequestError('Invalid order mapping.')
  }
  const moved = known.map((field) => ({ ...field, order: places.get(field.id) ?? 0 }))
  if (moved.every(({ order }, index) => order === known[index]?.order)) return
  for (const field of moved) await tx.customProfileFields.update(field)
  await tell(tx)
}

/** @throws {BadRequestError} if it does not exist (PROFILE-5) */
export function profileFieldOf(known: readonly ProfileField[], id: number): ProfileField {
  const found = known.find((one) => one.id === id)
  if (!found) throw new BadRequestError(`Field id ${id} not found.`)
  return found
}

async function tell(tx: Tx, areValuesGone = false): Promise<void> {
  const fields = await tx.customProfileFields.all()
  tx.events.append(
    { type: 'custom_profile_fields', fields, ...(areValuesGone && { areValuesGone }) },
    { to: 'everyone' },
  )
}

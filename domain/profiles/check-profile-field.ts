import { BadRequestError } from '../errors.ts'
import { MAX_FIELD_DATA_LENGTH, MAX_SUMMARY_FIELDS } from '../limits.ts'
import { boundedText, requiredName } from '../text/given-text.ts'
import { CUSTOM, EXTERNAL_ACCOUNTS } from './external-accounts.ts'
import { FIELD_TYPE, type ProfileField } from './profile-fields.ts'

const MAX_NAME_LENGTH = 40
const MAX_HINT_LENGTH = 80
const USERNAME = '%(username)s'

/** The data that a type needs besides its name, as sent by clients. */
export type FieldData = Readonly<Record<string, unknown>>

/** Checks whether a field can be stored beside the others. @throws {BadRequestError} */
export function checkProfileField(field: Omit<ProfileField, 'id' | 'order'>, others: readonly ProfileField[]): void {
  if (field.name === '') throw new BadRequestError('Label cannot be blank.')
  requiredName('name', field.name, MAX_NAME_LENGTH)
  boundedText('hint', field.hint, MAX_HINT_LENGTH)
  if (others.some(({ name }) => name === field.name)) {
    throw new BadRequestError('A field with that label already exists.')
  }
  if (!field.display_in_profile_summary) return
  if (field.type === FIELD_TYPE.people) {
    throw new BadRequestError('Field type not supported for display in profile summary.')
  }
  if (others.filter((one) => one.display_in_profile_summary).length >= MAX_SUMMARY_FIELDS) {
    throw new BadRequestError(
      `Only ${MAX_SUMMARY_FIELDS} custom profile fields can be displayed in the profile summary.`,
    )
  }
}

/**
 * Returns the stored form of the data that a type needs: JSON, or '' for types that need none.
 *
 * @throws {BadRequestError}
 */
export function storedFieldData(type: number, given: FieldData): string {
  if (type !== FIELD_TYPE.choice && type !== FIELD_TYPE.externalAccount) return ''
  const data = JSON.stringify(type === FIELD_TYPE.choice ? choicesOf(given) : accountOf(given))
  return boundedText('field_data', data, MAX_FIELD_DATA_LENGTH)
}

interface Choice {
  readonly text: string
  readonly order: string
}

function choicesOf(given: FieldData): Record<string, Choice> {
  const choices = Object.entries(given).map(([key, choice]): [string, Choice] => [key, choiceOf(choice)])
  if (choices.length === 0) throw new BadRequestError('Field must have at least one choice.')
  if (new Set(choices.map(([, { text }]) => text)).size < choices.length) {
    throw new BadRequestError('Field must not have duplicate choices.')
  }
  return Object.fromEntries(choices)
}

function choiceOf(given: unknown): Choice {
  if (typeof given !== 'object' || given === null) throw new BadRequestError('field_data is not a dict')
  const { text, order } = given as Partial<Record<keyof Choice, unknown>>
  for (const [key, value] of Object.entries({ text, order })) {
    if (value === undefined) throw new BadRequestError(`${key} key is missing from field_data`)
    if (typeof value !== 'string') throw new BadRequestError(`field_data["${key}"] is not a string`)
    if (value.trim() === '') throw new BadRequestError(`field_data["${key}"] cannot be blank.`)
  }
  return { text, order } as Choice
}

function accountOf({ subtype, url_pattern: pattern }: FieldData): object {
  if (typeof subtype !== 'string') throw new BadRequestError('subtype key is missing from field_data')
  if (Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)) return { subtype }
  if (subtype !== CUSTOM) throw new BadRequestError('Invalid external account type')
  if (typeof pattern !== 'string') throw new BadRequestError('Custom external account must define URL pattern')
  if (!pattern.includes(USERNAME)) throw new BadRequestError(`URL pattern must contain '${USERNAME}'.`)
  if (!isLink(pattern.replaceAll(USERNAME, 'username'))) throw new BadRequestError('url_pattern is not a URL')
  return { subtype, url_pattern: pattern }
}

/** Returns the known service to whose accounts the data refers; undefined if there is none. */
export function knownAccount(type: number, fieldData: FieldData | string) {
  if (type !== FIELD_TYPE.externalAccount || fieldData === '') return undefined
  const { subtype } = (typeof fieldData === 'string' ? JSON.parse(fieldData) : fieldData) as FieldData
  return typeof subtype === 'string' && Object.hasOwn(EXTERNAL_ACCOUNTS, subtype)
    ? EXTERNAL_ACCOUNTS[subtype]
    : undefined
}

/** Whether the link is safe to follow. */
export function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

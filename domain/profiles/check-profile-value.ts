import { BadRequestError } from '../errors.ts'
import { MAX_PROFILE_LINK_LENGTH } from '../limits.ts'
import { cutTo } from '../text/code-points.ts'
import { boundedText } from '../text/given-text.ts'
import { isLink } from './check-profile-field.ts'
import { FIELD_TYPE, type ProfileField } from './profile-fields.ts'

const MAX_SHORT_LENGTH = 50
const MAX_LONG_LENGTH = 500

/**
 * Checks whether a text fits the type of a field, for all types except people (CPF-4, CPF-7).
 *
 * @throws {BadRequestError} naming the field
 */
export function checkProfileText({ type, name, field_data: data }: ProfileField, value: string): void {
  switch (type) {
    case FIELD_TYPE.choice:
      if (!isChoice(data, value))
        throw new BadRequestError(`'${cutTo(value, MAX_SHORT_LENGTH, '…')}' is not a valid choice for '${name}'.`)
      return
    case FIELD_TYPE.date:
      if (!isDate(value)) throw new BadRequestError(`${name} is not a date`)
      return
    case FIELD_TYPE.link:
      boundedText(name, value, MAX_PROFILE_LINK_LENGTH)
      if (!isLink(value)) throw new BadRequestError(`${name} is not a URL`)
      return
    default:
      boundedText(name, value, type === FIELD_TYPE.longText ? MAX_LONG_LENGTH : MAX_SHORT_LENGTH)
  }
}

/** @param fieldData of a field with choices */
export function isChoice(fieldData: string, value: string): boolean {
  return Object.hasOwn(JSON.parse(fieldData) as object, value)
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || value < '0001') return false
  const time = Date.parse(value)
  // JavaScript accepts the 30th of February as the 1st of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

/** Whether values of the type are Markdown, shown as HTML (EV-REALMUSER-18). */
export function isMarkdownType(type: number): boolean {
  return type === FIELD_TYPE.shortText || type === FIELD_TYPE.longText
}

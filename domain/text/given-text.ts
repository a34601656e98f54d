import { BadRequestError } from '../errors.ts'
import { isLongerThan } from './code-points.ts'
import { invalidPosition } from './names.ts'

/** @throws {BadRequestError} naming the parameter if `text` is longer than `most` code points */
export function boundedText(name: string, text: string, most: number): string {
  if (isLongerThan(text, most)) throw new BadRequestError(`${name} is too long (limit: ${most} characters)`)
  return text
}

/** Same as above, and not blank. */
export function requiredText(name: string, text: string, most: number): string {
  if (text.trim() === '') throw new BadRequestError(`${name} cannot be blank`)
  return boundedText(name, text, most)
}

/**
 * Returns a name without surrounding white space. It must not be blank, or contain characters that names cannot have.
 */
export function requiredName(parameter: string, text: string, most: number): string {
  const name = requiredText(parameter, text.trim(), most)
  const position = invalidPosition(name)
  if (position !== undefined) throw new BadRequestError(`Invalid character in ${parameter}, at position ${position}.`)
  return name
}

import { BadRequestError } from '../errors.ts'
import { isLongerThan } from './code-points.ts'

/** @throws {BadRequestError} where `text` is longer than `most` code points; it names the parameter */
export function boundedText(name: string, text: string, most: number): string {
  if (isLongerThan(text, most)) throw new BadRequestError(`${name} is too long (limit: ${most} characters)`)
  return text
}

/** The same, and it must not be blank. */
export function requiredText(name: string, text: string, most: number): string {
  if (text.trim() === '') throw new BadRequestError(`${name} cannot be blank`)
  return boundedText(name, text, most)
}

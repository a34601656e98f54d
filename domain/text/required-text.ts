import { BadRequestError } from '../errors.ts'
import { isLongerThan } from './code-points.ts'

/** @throws {BadRequestError} where `text` is blank, or longer than `most` code points; it names the parameter */
export function requiredText(name: string, text: string, most: number): string {
  if (text.trim() === '') throw new BadRequestError(`${name} cannot be blank`)
  if (isLongerThan(text, most)) throw new BadRequestError(`${name} is too long (limit: ${most} characters)`)
  return text
}

import type { Schemas } from '../generated/operations.ts'
import { BadRequestError } from './errors.ts'
import { InvalidFieldsError } from './invalid-fields.ts'
import { templateVariables } from './linkifiers/url-template.ts'
import { invalidPosition } from './text/names.ts'

/** A site that runs code of one language. */
export type Playground = Schemas['Playground']

/** The variable of a template that stands for the code to run. */
const CODE = 'code'
const HAS_SCHEME = /^(?:https?:\/\/|mailto:)/i
const LANGUAGE = /^[\w +\-./#]*$/

/**
 * Checks whether a playground can be stored: PLAYGROUND-4 to PLAYGROUND-6 and PLAYGROUND-9.
 *
 * @throws {InvalidFieldsError} naming the parameter; {BadRequestError} for characters that do not occur in names of
 * languages
 */
export function checkPlayground({ name, pygments_language, url_template }: Omit<Playground, 'id'>): void {
  for (const [parameter, value] of Object.entries({ name, pygments_language })) {
    if (value === '') throw new InvalidFieldsError({ [parameter]: [`${parameter} cannot be blank`] })
  }
  const position = invalidPosition(name)
  if (position !== undefined) {
    throw new InvalidFieldsError({ name: [`Invalid character in name, at position ${position}.`] })
  }
  if (!LANGUAGE.test(pygments_language)) throw new BadRequestError('Invalid characters in pygments language')
  const variables = templateVariables(url_template)
  // Clients expand the template, so nobody looks at a scheme that comes from the code.
  if (!variables || !HAS_SCHEME.test(url_template)) throw invalid('Invalid URL template.')
  if (!variables.has(CODE)) throw invalid('Missing the required variable "code" in the URL template')
  if (variables.size > 1) throw invalid('"code" should be the only variable present in the URL template')
}

function invalid(message: string): InvalidFieldsError {
  return new InvalidFieldsError({ url_template: [message] })
}

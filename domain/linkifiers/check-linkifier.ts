import { InvalidFieldsError } from '../invalid-fields.ts'
import { LinkPattern, linkWorkOfTopic } from './link-pattern.ts'
import type { Linkifier } from './linkifiers.ts'
import { templateVariables } from './url-template.ts'

/** Texts with simple `{name}`s, which clients fill in. */
const REVERSE_EXPRESSION = /\{(\w+)\}/g

/**
 * Checks whether a linkifier can be stored.
 *
 * @throws {InvalidFieldsError} with the errors by parameter, or under `__all__` if several are concerned
 */
export function checkLinkifier(linkifier: Omit<Linkifier, 'id'>): void {
  const { pattern: source, url_template, example_input: example, reverse_template: reverse } = linkifier
  if (source.trim() === '') throw invalid('pattern', 'This field cannot be blank.')
  const pattern = LinkPattern.of(source)
  if (!pattern) throw invalid('__all__', 'Bad regular expression, or one that takes too much work')
  const names = new Set(pattern.names)
  const templates = [
    ['url_template', url_template],
    ...linkifier.alternative_url_templates.map((one) => ['alternative_url_templates', one] as const),
  ] as const
  for (const [parameter, template] of templates) {
    const variables = templateVariables(template)
    if (!variables) throw invalid(parameter, 'Invalid URL template.')
    checkGroups(names, variables)
  }
  if (example !== null && !matchesWhole(pattern, example)) {
    throw invalid('example_input', 'The pattern does not match this text as a whole.')
  }
  if (reverse === null) return
  if (/[{}]/.test(reverse.replaceAll(REVERSE_EXPRESSION, ''))) throw invalid('reverse_template', 'Invalid template.')
  const used = new Set([...reverse.matchAll(REVERSE_EXPRESSION)].map(([, name = '']) => name))
  checkGroups(names, used)
}

function checkGroups(names: ReadonlySet<string>, variables: ReadonlySet<string>): void {
  const [strange] = [...variables].filter((name) => !names.has(name))
  if (strange !== undefined) {
    throw invalid('__all__', `Group '${strange}' in a template is not present in the pattern.`)
  }
  const [unused] = [...names].filter((name) => !variables.has(name))
  if (unused !== undefined) throw invalid('__all__', `Group '${unused}' in the pattern is not present in a template.`)
}

function matchesWhole(pattern: LinkPattern, text: string): boolean {
  const [match] = pattern.matches(text, linkWorkOfTopic())
  return match?.start === 0 && match.end === text.length
}

function invalid(parameter: string, message: string): InvalidFieldsError {
  return new InvalidFieldsError({ [parameter]: [message] })
}

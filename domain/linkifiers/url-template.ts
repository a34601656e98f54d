import { parseTemplate } from 'url-template'

/** RFC 6570: texts and expressions. Each expression has an operator, and variables that may have a modifier. */
const NAME = '(?:\\w|%[\\dA-Fa-f]{2})+(?:\\.(?:\\w|%[\\dA-Fa-f]{2})+)*'
const VARIABLE = `${NAME}(?:\\*|:[1-9]\\d{0,3})?`
const EXPRESSION = new RegExp(`\\{[+#./;?&]?(${VARIABLE}(?:,${VARIABLE})*)\\}`, 'g')
/** A literal scheme before the first expression; a scheme from an expression is checked when it is known. */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto'])

/**
 * Returns the variables of an address template; undefined if it is invalid, or has a scheme that links must not have.
 */
export function templateVariables(template: string): ReadonlySet<string> | undefined {
  if (/[{}]/.test(template.replaceAll(EXPRESSION, ''))) return undefined
  const scheme = SCHEME.exec(template)?.[1]
  if (scheme !== undefined && !SAFE_SCHEMES.has(scheme.toLowerCase())) return undefined
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, list = '']) => list.split(','))
  return new Set(names.map((name) => name.replace(/\*$|:\d+$/, '')))
}

/**
 * Returns a function that expands a template that `templateVariables` has accepted. It returns undefined if an address
 * would cut a character in two.
 */
export function urlExpander(template: string): (values: Readonly<Record<string, string | null>>) => string | undefined {
  const parsed = parseTemplate(template.toWellFormed())
  return (values) => {
    const texts = Object.entries(values).map(([name, value]) => [name, value?.toWellFormed() ?? null])
    try {
      return parsed.expand(Object.fromEntries(texts))
    } catch (err) {
      if (err instanceof URIError) return undefined
      throw err
    }
  }
}

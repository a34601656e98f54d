import fc from 'fast-check'
import type { Values } from '../deployment/account.ts'
import type { Operation } from '../wire/contract.ts'
import type { Pairs } from '../wire/http.ts'

const oddWords = ['', ' ', 'true', 'null', 'NaN', '%', '\r\n', '../../x', "' or 1=1 --", '\u{1f600}']
/** Numbers that are no id: random requests must not reach anybody's data. */
const idsOfNothing = ['0', '-1', '2147483647', '2147483648', '9007199254740993', '99999999999999999999', '1e400', '1.5']

/** @param most maximum length of a value: in a query it must leave room for the rest of the request's head */
const anyText = (most: number): fc.Arbitrary<string> =>
  fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(...oddWords, ...idsOfNothing),
    fc.constantFrom('[]', '{}', '[[]]', '[null]', '{"__proto__":{}}', '["\\ud800"]', '[["channel",""]]', '"', '{"a":'),
    fc.constantFrom('\0', 'a\0b', '"\\u0000"', `${'['.repeat(150)}${']'.repeat(150)}`, '['.repeat(most / 10)),
    fc.integer({ min: 100, max: most }).map((length) => 'x'.repeat(length)),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )
const mostInQuery = 1000
const mostInForm = 20_000

export type Change =
  | { readonly kind: 'set' | 'repeat'; readonly name: string; readonly value: string }
  | { readonly kind: 'drop'; readonly name: string }

/** Up to four changes to valid parameters: other values, repeated names, unknown names, missing names. */
export function anyChanges({ method, parameters }: Operation): fc.Arbitrary<Change[]> {
  const known = parameters.filter(({ in: place }) => place !== 'path' && place !== 'file').map(({ name }) => name)
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...known, 'conformance_extra') },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'é\u{1f600}', '', 'n'.repeat(300), 'a[b]') },
  )
  const hasQuery = method === 'GET' || parameters.some(({ in: place }) => place === 'query')
  const value = anyText(hasQuery ? mostInQuery : mostInForm)
  const change = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), name, value }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), name, value }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), name }) },
  )
  return fc.array(change, { minLength: 1, maxLength: 4 })
}

/** Sent with every seed: a null byte in each text, and a negative number where something is counted. */
export function surestChanges({ parameters }: Operation): Change[][] {
  return parameters
    .filter(({ in: place, aliasOf }) => (place === 'query' || place === 'form') && aliasOf === undefined)
    .flatMap(({ name, schema, isJson }) => {
      const isText = !isJson && schema.type === 'string' && schema.enum === undefined
      const value = isText ? 'a\0b' : schema.type === 'integer' ? '-1' : undefined
      return value === undefined ? [] : [[{ kind: 'set' as const, name, value }]]
    })
}

export function changedPairs(values: Values, changes: readonly Change[]): Pairs {
  let pairs: [string, string][] = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  )
  for (const change of changes) {
    if (change.kind !== 'repeat') pairs = pairs.filter(([name]) => name !== change.name)
    if (change.kind !== 'drop') pairs.push([change.name, change.value])
  }
  return pairs
}

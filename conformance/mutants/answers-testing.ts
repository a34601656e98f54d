/**
 * Ways in which any answer can be wrong. Each operator changes all values of the answer, or one of them, in one way;
 * undefined if it changes nothing.
 */
import { innerSchemas, readContract, type Schema } from '../wire/contract.ts'
import { isObject, listOf } from '../wire/values.ts'
import type { Answer, Recorded } from './trace-testing.ts'

/** @param all the other answers */
type Operator = (recorded: Recorded, all: readonly Recorded[]) => Answer | undefined

/** A value in an answer. */
export interface Place {
  /** `/messages/[]/id`; keys that are not names of the contract, such as ids and addresses, are `{}`. */
  readonly pattern: string
  readonly value: unknown
  /** Replaces the value. */
  replace(value: unknown): void
}

/** Maximum number of answers that one is mixed with. */
const MOST_OTHERS = 8

type ValueOperator = (value: unknown) => { readonly now: unknown } | undefined

/** Ways in which one value can be wrong; undefined if the operator does not apply. */
export const ofValue: Readonly<Record<string, ValueOperator>> = {
  other(value) {
    if (typeof value === 'boolean') return { now: !value }
    if (typeof value === 'number') return { now: value + 1 }
    return typeof value === 'string' ? { now: `${value}x` } : undefined
  },
  blank(value) {
    if (typeof value === 'string' && value !== '') return { now: '' }
    if (typeof value === 'number' && value !== 0) return { now: 0 }
    if (isObject(value) && Object.keys(value).length > 0) return { now: {} }
    return Array.isArray(value) && value.length > 0 ? { now: [] } : undefined
  },
  /** JSON has no value for it: the field is left out. */
  absent: () => ({ now: undefined }),
  type(value) {
    if (typeof value === 'string') return { now: 17 }
    if (value === null) return { now: 'null' }
    return typeof value === 'number' || typeof value === 'boolean' ? { now: String(value) } : undefined
  },
  null: (value) => (value === null ? undefined : { now: null }),
  'without first': (value) => (Array.isArray(value) && value.length > 0 ? { now: value.slice(1) } : undefined),
  doubled: (value) =>
    Array.isArray(value) && value.length > 0 ? { now: [...value, ...structuredClone(value)] } : undefined,
  reversed: (value) => (Array.isArray(value) && value.length > 1 ? { now: value.toReversed() } : undefined),
  /** Extra content that nobody asked for. */
  more(value) {
    if (Array.isArray(value)) return { now: [...value, othersOf(value[0] ?? 17)] }
    return isObject(value) ? { now: { ...value, conformance_extra: 17 } } : undefined
  },
}

const refusal = { result: 'error', msg: 'Refused.', code: 'BAD_REQUEST' }
const failure = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }
const success = { result: 'success', msg: '' }

/** Operators on a whole answer; those that most expectations notice come first. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['refused', (one) => (one.status === 200 ? { ...asJson(one, refusal), status: 400 } : undefined)],
  ['success', admitted],
  ['other', everywhere('other')],
  ['blank', everywhere('blank')],
  ['without first', everywhere('without first')],
  ['null', everywhere('null')],
  ['empty', (one) => (one.status === 200 && isObject(one.body) ? asJson(one, success) : undefined)],
  ['another code', (one) => refusedAs(one, { code: 'MISSING_STREAM' }, one.status === 400 ? 404 : 400)],
  ['another reason', (one) => refusedAs(one, { msg: 'Otherwise.' }, one.status)],
  ['more', everywhere('more')],
  ['of others', withOthers],
  ['as elsewhere', asElsewhere],
  ['every field', withEveryField],
  ['type', everywhere('type')],
  ['HTML', ({ status, text }) => ({ status, headers: new Headers({ 'content-type': 'text/html' }), text })],
  ['failed', (one) => ({ ...asJson(one, failure), status: 500 })],
  ['reversed', everywhere('reversed')],
  ['doubled', everywhere('doubled')],
  ['told everything', toldEverything],
  ['no JSON', ({ status }) => ({ status, headers: new Headers({ 'content-type': 'text/html' }), text: '<p>No.</p>' })],
])

/** Like `everywhere`, one value at a time. */
export function* singly(recorded: Recorded): Generator<Answer> {
  const patterns = new Set(placesIn(structuredClone(recorded.body)).map(({ pattern }) => pattern))
  for (const pattern of patterns) {
    for (const name of Object.keys(ofValue)) {
      const answer = changed(recorded, name, (one) => one === pattern)
      if (answer !== undefined) yield answer
    }
  }
}

/** Adds these fields to each object. */
export function withFields(recorded: Recorded, names: readonly string[]): Answer | undefined {
  if (!isObject(recorded.body) || names.length === 0) return undefined
  const body = structuredClone(recorded.body)
  for (const one of [body, ...placesIn(body).map(({ value }) => value)].filter(isObject)) {
    for (const name of names) (one as Record<string, unknown>)[name] ??= 17
  }
  return asJson(recorded, body)
}

/** Changes every value, except those that tell whether the request succeeded, and how far a queue was read. */
function everywhere(name: string): Operator {
  const kept = new Set(['/result', '/msg', '/queue_id', '/last_event_id'])
  return (recorded) => changed(recorded, name, (pattern) => recorded.status !== 200 || !kept.has(pattern))
}

function changed(recorded: Recorded, name: string, isMeant: (pattern: string) => boolean): Answer | undefined {
  const body = isObject(recorded.body) ? changedAt(recorded.body, name, isMeant) : recorded.body
  return body === recorded.body ? undefined : asJson(recorded, body as object)
}

/** A copy of a body with one operator applied to all matching values; the body itself if that changes nothing. */
export function changedAt(body: unknown, name: string, isMeant: (pattern: string) => boolean): unknown {
  return replacedIn(body, ({ pattern, value }) => {
    const isWhole = pattern === '' && name !== 'more'
    return isMeant(pattern) && !isWhole ? ofValue[name]?.(value) : undefined
  })
}

/**
 * A copy of a body with other values; the body itself if there are none. Inner values are replaced before the outer
 * ones.
 */
function replacedIn(body: unknown, valueAt: (place: Place) => { readonly now: unknown } | undefined): unknown {
  const root = { body: structuredClone(body) }
  let hasChanged = false
  const whole: Place = { pattern: '', value: root.body, replace: (now) => Object.assign(root, { body: now }) }
  for (const place of [whole, ...placesIn(root.body)].toReversed()) {
    const made = valueAt(place)
    if (made === undefined) continue
    place.replace(made.now)
    hasChanged = true
  }
  return hasChanged ? root.body : body
}

export function placesIn(value: unknown, pattern = ''): Place[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown, index) => {
      const here = `${pattern}/[]`
      const replace = (now: unknown): void => {
        value[index] = now
      }
      return [{ pattern: here, value: one, replace }, ...placesIn(one, here)]
    })
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const here = `${pattern}/${/^[a-zA-Z][a-zA-Z_]*\d?$/.test(key) ? key : '{}'}`
    const replace = (now: unknown): void => {
      ;(value as Record<string, unknown>)[key] = now
    }
    return [{ pattern: here, value: one, replace }, ...placesIn(one, here)]
  })
}

/** Adds to each list and map what other answers of the operation have there. */
function withOthers(recorded: Recorded, all: readonly Recorded[]): Answer | undefined {
  return mixed(recorded, all, joined)
}

/** Replaces each value by one that another answer of the operation has there. */
function asElsewhere(recorded: Recorded, all: readonly Recorded[]): Answer | undefined {
  return mixed(recorded, all, (value, others) => {
    if (typeof value === 'object' && value !== null) return value
    const other = others.findLast((one) => one !== value && (typeof one !== 'object' || one === null))
    return other ?? value
  })
}

function mixed(
  recorded: Recorded,
  all: readonly Recorded[],
  mix: (value: unknown, others: readonly unknown[]) => unknown,
): Answer | undefined {
  if (!isObject(recorded.body)) return undefined
  const others = elsewhere(recorded, all)
  const body = replacedIn(recorded.body, ({ pattern, value }) => {
    const now = mix(value, others.get(pattern) ?? [])
    return JSON.stringify(now) === JSON.stringify(value) ? undefined : { now }
  })
  return body === recorded.body ? undefined : asJson(recorded, body as object)
}

/** Adds to each object all fields that the contract has for it, as if all parameters were ignored. */
function withEveryField(recorded: Recorded): Answer | undefined {
  const { operations } = readContract()
  const operation = operations.get(recorded.operation ?? '')
  const schema = operation?.answers.get(recorded.status)
  if (operation === undefined || schema === undefined || !isObject(recorded.body)) return undefined
  const body = structuredClone(recorded.body)
  addFields(body, [schema])
  const names = operation.parameters.map(({ name }) => name)
  return asJson(recorded, { ...body, ignored_parameters_unsupported: [...names, 'conformance_extra'] })
}

function addFields(value: unknown, given: readonly Schema[]): void {
  const schemas = given.flatMap(branchesOf)
  if (Array.isArray(value)) {
    const items = schemas.flatMap((schema) => schema.items ?? [])
    for (const one of value) addFields(one, items)
  } else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      const named = schemas.flatMap(({ properties = {} }) => properties[name] ?? [])
      addFields(one, named)
    }
    const object = value as Record<string, unknown>
    for (const name of schemas.flatMap(({ properties = {} }) => Object.keys(properties))) object[name] ??= 17
  }
}

function branchesOf(schema: Schema): Schema[] {
  return [schema, ...innerSchemas(schema, readContract().schemas).flatMap(branchesOf)]
}

/** The values at each place in the last other answers of the operation. */
function elsewhere(recorded: Recorded, all: readonly Recorded[]): ReadonlyMap<string, readonly unknown[]> {
  const alike = all.filter((one) => one.operation === recorded.operation && one.status === recorded.status)
  const others = alike.filter((one) => one !== recorded).slice(-MOST_OTHERS)
  const places = others.flatMap(({ body }) => placesIn(body))
  const byPattern = Map.groupBy(places, ({ pattern }) => pattern)
  return new Map([...byPattern].map(([pattern, found]) => [pattern, found.map(({ value }) => value)]))
}

function joined(value: unknown, others: readonly unknown[]): unknown {
  if (Array.isArray(value)) {
    const known = new Set(value.map((one) => JSON.stringify(one)))
    return [...value, ...others.flatMap(listOf).filter((one) => !known.has(JSON.stringify(one)))]
  }
  return isObject(value) ? { ...Object.assign({}, ...others.filter(isObject)), ...value } : value
}

/** A value of the same form with other content. */
function othersOf(value: unknown): unknown {
  const root = [structuredClone(value)]
  for (const one of placesIn(root).toReversed()) {
    const made = ofValue.other?.(one.value)
    if (made !== undefined) one.replace(made.now)
  }
  return root[0]
}

/** Adds an event of every type in the contract before the others. */
function toldEverything(recorded: Recorded): Answer | undefined {
  const { operation, body } = recorded
  const events: unknown = isObject(body) ? body.events : undefined
  if (operation !== 'get-events' || !Array.isArray(events) || events.length === 0) return undefined
  const { schemas } = readContract()
  const id = Number(events[0]?.id) - 1
  const all = (schemas.Event?.oneOf ?? []).map(({ $ref = '' }) => {
    const { type, op } = schemas[$ref.split('/').at(-1) ?? '']?.properties ?? {}
    return { id, type: type?.const, ...(op?.const !== undefined && { op: op.const }) }
  })
  return asJson(recorded, { ...(body as object), events: [...all, ...events] })
}

/** Turns a refusal into a success. */
export function admitted(recorded: Recorded): Answer | undefined {
  return recorded.status >= 400 ? { ...asJson(recorded, success), status: 200 } : undefined
}

/** Turns a refusal into another one. */
export function refusedAs(recorded: Recorded, values: object, status: number): Answer | undefined {
  if (recorded.status < 400 || !isObject(recorded.body)) return undefined
  return { ...asJson(recorded, { ...recorded.body, ...values }), status }
}

function asJson({ status, headers }: Answer, body: object): Answer {
  return { status, headers, text: JSON.stringify(body) }
}

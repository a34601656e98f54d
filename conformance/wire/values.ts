import type { Exchange } from './http.ts'

/** Raw JSON, before it is examined. */
// biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
export type Json = any

export function isObject(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The items of a list; empty if the value is not a list. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** The objects in a list; empty if the value is not a list. */
export function objectsIn(value: unknown): readonly Json[] {
  return listOf(value).filter(isObject)
}

export function isIntegers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => Number.isInteger(one))
}

/** Whether `value` is a list of exactly these numbers, in any order. */
export function isSetOf(value: unknown, numbers: readonly number[]): boolean {
  return isIntegers(value) && value.toSorted(byNumber).join() === numbers.toSorted(byNumber).join()
}

/** Whether both are lists of the same values, each equally often, in any order. */
export function isSameList(values: unknown, wanted: readonly unknown[]): boolean {
  const sorted = (list: readonly unknown[]): string => JSON.stringify(list.map(String).toSorted())
  return Array.isArray(values) && sorted(values) === sorted(wanted)
}

function byNumber(one: number, other: number): number {
  return one - other
}

/** An answer of 5xx refuses nothing. */
export function isRefused({ status, body }: Exchange): boolean {
  return body?.result === 'error' && status < 500
}

/**
 * JSON of which equal values have equal texts: fields are in alphabetical order, and lists of IDs and of people, which
 * have no order of their own, by ID.
 */
export function canonical(value: unknown): string {
  const inOrder = (name: string, inner: unknown): unknown => {
    if (isObject(inner)) {
      return Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    }
    if (isIntegers(inner)) return inner.toSorted(byNumber)
    return name === 'display_recipient' ? objectsIn(inner).toSorted((one, other) => one.id - other.id) : inner
  }
  return JSON.stringify(value, inOrder) ?? 'absent'
}

/**
 * Whether this is what somebody is told of a user whom they may not see. Its values are made up, and the time at which
 * the user joined is the beginning of UNIX time.
 */
export function isStandIn(user: Json): boolean {
  return Date.parse(user?.date_joined) === 0
}

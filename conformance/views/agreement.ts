import type { Exchange } from '../wire/http.ts'
import { isObject, type Json } from '../wire/values.ts'

/** Two answers that contradict each other about the same thing. */
export interface Disagreement {
  /** The one of the two answers that the report shows. */
  readonly exchange: Exchange
  readonly expected: string
}

/** Lists of ids without an order. */
const unordered = new Set(['subscribers', 'partial_subscribers', 'direct_members', 'direct_subgroups', 'flags'])

/** Compares what several answers say about the same things. */
export class Agreement {
  readonly disagreements: Disagreement[] = []
  /** Number of things that were compared. */
  held = 0

  /**
   * Compares what `exchange` says with another answer.
   *
   * @param what the thing that both are about
   * @param where the other answer in words
   */
  same(exchange: Exchange, what: string, value: Json, other: Json, where: string): void {
    const [here, there] = [textOf(value), textOf(other)]
    this.isSo(exchange, here === there, `${what} is ${there}, as in ${where}; but it is ${here}`)
  }

  /** Compares every field that both have, except `except`. The schemas find missing fields. */
  sameFields(exchange: Exchange, what: string, one: Json, other: Json, where: string, except: readonly string[] = []) {
    if (!isObject(one) || !isObject(other)) return
    for (const [name, value] of Object.entries(one)) {
      if (!(name in other) || except.includes(name)) continue
      const [here, there] = unordered.has(name) ? [sorted(value), sorted(other[name])] : [value, other[name]]
      this.same(exchange, `\`${name}\` of ${what}`, here, there, where)
    }
  }

  /** Compares lists of ids, ignoring their order. */
  sameSet(exchange: Exchange, what: string, value: Json, other: Json, where: string): void {
    this.same(exchange, what, sorted(value), sorted(other), where)
  }

  isSo(exchange: Exchange, isRight: boolean, expected: string): void {
    this.held += 1
    if (!isRight) this.disagreements.push({ exchange, expected })
  }
}

/** JSON with the fields of every object sorted. */
function textOf(value: Json): string {
  const inOrder = (_: string, inner: Json): Json => {
    if (!isObject(inner)) return inner
    const fields = Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(fields.map(([name, field]) => [name, unordered.has(name) ? sorted(field) : field]))
  }
  return JSON.stringify(value, inOrder) ?? 'absent'
}

function sorted(list: Json): Json {
  return Array.isArray(list) ? list.toSorted((one, other) => (one < other ? -1 : Number(one > other))) : list
}

import type { Exchange } from '../wire/http.ts'
import { isObject, type Json } from '../wire/values.ts'

/** Two answers that say different things about the same thing. */
export interface Disagreement {
  /** The answer of the two that the report shows. */
  readonly exchange: Exchange
  readonly expected: string
}

/** Lists of ids that have no order. */
const unordered = new Set(['subscribers', 'partial_subscribers', 'direct_members', 'direct_subgroups', 'flags'])

/** What several answers say about the same things, held against one another. */
export class Agreement {
  readonly disagreements: Disagreement[] = []
  /** How many things were held against one another. */
  held = 0

  /**
   * Holds what `exchange` says against what another answer says.
   *
   * @param what of which the two speak, and @param where the other one stands, in words
   */
  same(exchange: Exchange, what: string, value: Json, other: Json, where: string): void {
    const [here, there] = [textOf(value), textOf(other)]
    this.isSo(exchange, here === there, `${what} is ${there}, as in ${where}; but it is ${here}`)
  }

  /** The same for every field that both have, but for `except`: that nothing is missing is held against schemas. */
  sameFields(
    exchange: Exchange,
    what: string,
    one: Json,
    other: Json,
    where: string,
    except: readonly string[] = [],
  ): void {
    if (!isObject(one) || !isObject(other)) return
    for (const [name, value] of Object.entries(one)) {
      if (!(name in other) || except.includes(name)) continue
      const [here, there] = unordered.has(name) ? [sorted(value), sorted(other[name])] : [value, other[name]]
      this.same(exchange, `\`${name}\` of ${what}`, here, there, where)
    }
  }

  /** The same for lists of ids in which order means nothing. */
  sameSet(exchange: Exchange, what: string, value: Json, other: Json, where: string): void {
    this.same(exchange, what, sorted(value), sorted(other), where)
  }

  isSo(exchange: Exchange, isRight: boolean, expected: string): void {
    this.held += 1
    if (!isRight) this.disagreements.push({ exchange, expected })
  }
}

/** JSON with the fields of every object in one order. */
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

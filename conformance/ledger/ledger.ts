import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import { type Reading, readingsOf } from './readings.ts'
import { Register, type Span, unknown } from './register.ts'
import { memberThing, type People, type Written, writtenBy } from './writes.ts'

/** An answer that shows something else than what was written. */
export interface Mismatch {
  readonly exchange: Exchange
  readonly thing: string
  readonly found: unknown
  /** What it could have been. */
  readonly possible: readonly unknown[]
}

interface Open {
  readonly exchange: Exchange
  readonly thing: string
  readonly found: unknown
}

/** Enough to show what is wrong; a server that stores nothing contradicts itself in every answer. */
const mostOpen = 2000

const initials: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['reactions', false],
  ['starred messages', false],
  ['alert words', false],
  ['muted users', false],
  ['status text', ''],
  ['status emoji', ''],
])

/** What a run has written, and where answers show something else. */
export class Ledger {
  readonly #registers = new Map<string, Register<unknown>>()
  /** Names of members that were ever written, by list. */
  readonly #members = new Map<string, Set<string>>()
  /** Readings that do not fit what is known so far: a write whose answer is still under way may explain them. */
  readonly #open: Open[] = []
  /** The same of what events told. */
  readonly #told: Open[] = []
  readonly #people: People
  /** Names of users and messages that the run has made, which nobody had written about before: `user 7`. */
  readonly #fresh = new Set<string>()
  /** How many readings were held against a write. */
  held = 0

  constructor(people: People) {
    this.#people = people
  }

  /** Names of members that were ever written of a list. */
  readonly members = (list: string): Iterable<string> => this.#members.get(list) ?? []

  /** @returns what has certainly changed, because it cannot have been so before */
  note(exchange: Exchange, operation: Operation, values: ReadonlyMap<string, Json>, caller: number): Written[] {
    const { status, body } = exchange
    const isSuccess = body?.result === 'success'
    if (isSuccess) this.#read(exchange, readingsOf(operation, values, caller, exchange))
    if (!isSuccess && status < 500) return []
    // What a failure has done, nobody knows.
    if (isSuccess && operation.id === 'create-user') this.#fresh.add(`user ${body.user_id}`)
    if (isSuccess && operation.id === 'send-message') this.#fresh.add(`message ${body.id}`)
    const span = isSuccess ? exchange : { sentAt: exchange.sentAt, answeredAt: Infinity }
    return writtenBy(operation, values, { caller, people: this.#people }, exchange).filter((written) =>
      this.#write(written, span),
    )
  }

  /** Whether a thing was this during all of the time. */
  isSurely(thing: string, value: unknown, span: Span): boolean {
    const possible = this.#registers.get(thing)?.possible(span)
    return possible?.every((one) => one === value) ?? false
  }

  /** What events told of things that were never so, as far as the run has written them. */
  untrue(): Mismatch[] {
    return this.#told.flatMap(({ exchange, thing, found }) => {
      const possible = this.#registers.get(thing)?.values
      return possible === undefined || fits(found, possible) ? [] : [{ exchange, thing, found, possible }]
    })
  }

  /** Holds an event against what was written; what nobody wrote about in this run, others may have changed. */
  noteTold(exchange: Exchange, thing: string, found: unknown): void {
    const possible = this.#registers.get(thing)?.values
    const isTrue = possible !== undefined && fits(found, possible)
    // A member may have been away from the start, and the write of another change may still be under way.
    if (!isTrue && found !== false && this.#told.length < mostOpen) this.#told.push({ exchange, thing, found })
  }

  /** From now on nobody can tell whether `name` is in the lists that begin so. */
  doubt(listStart: string, name: string, span: Span): void {
    for (const [list, names] of this.#members) {
      if (list.startsWith(listStart) && names.has(name))
        this.#registers.get(memberThing(list, name))?.write(unknown, span)
    }
  }

  /** What no write explains, when nothing comes any more: the first of each thing. */
  mismatches(): Mismatch[] {
    const all = this.#open.flatMap(({ exchange, thing, found }) => {
      const possible = this.#registers.get(thing)?.possible(exchange)
      return possible === undefined || fits(found, possible) ? [] : [{ exchange, thing, found, possible }]
    })
    return [...new Map(all.toReversed().map((one) => [one.thing, one])).values()].toReversed()
  }

  #write({ thing, value, member }: Written, span: Span): boolean {
    const register = this.#registers.get(thing) ?? this.#newRegister(thing)
    const before = register.possible(span)
    register.write(value, span)
    if (member !== undefined) {
      const [list, name] = member
      const names = this.#members.get(list) ?? new Set<string>()
      this.#members.set(list, names)
      names.add(name)
    }
    return value !== unknown && before !== undefined && !fits(value, before)
  }

  /** Nobody has reacted to a new message, and a new user has marked and said nothing. */
  #newRegister(thing: string): Register<unknown> {
    const register = new Register<unknown>()
    this.#registers.set(thing, register)
    const [, start, owner = ''] = /^([a-z ]+?)(?: of| to) ((?:user|message) \d+)/.exec(thing) ?? []
    const initial = start === undefined ? undefined : initials.get(start)
    if (initial !== undefined && this.#fresh.has(owner)) register.write(initial, { sentAt: -2, answeredAt: -1 })
    return register
  }

  #read(exchange: Exchange, readings: Iterable<Reading>): void {
    for (const reading of readings) {
      if ('thing' in reading) {
        this.#hold(exchange, reading.thing, reading.value)
        continue
      }
      for (const name of this.members(reading.list)) {
        this.#hold(exchange, memberThing(reading.list, name), reading.has(name))
      }
    }
  }

  #hold(exchange: Exchange, thing: string, found: unknown): void {
    const possible = this.#registers.get(thing)?.possible(exchange)
    if (possible === undefined) return
    this.held += 1
    if (!fits(found, possible) && this.#open.length < mostOpen) this.#open.push({ exchange, thing, found })
  }
}

function fits(found: unknown, possible: readonly unknown[]): boolean {
  const text = JSON.stringify(found)
  return possible.some((one) => JSON.stringify(one) === text)
}

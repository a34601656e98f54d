import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import { canonical } from '../wire/values.ts'
import { type Reading, readingsOf } from './readings.ts'
import { Register, type Span, unknown } from './register.ts'
import { type List, memberOf, type Thing } from './things.ts'
import { type People, type Written, writtenBy } from './writes.ts'

/** An answer, and what it shows of a thing. */
interface Found {
  readonly exchange: Exchange
  readonly thing: Thing
  readonly found: unknown
}

/** An answer that shows something other than what was written. */
export interface Mismatch extends Found {
  /** The possible values. */
  readonly possible: readonly unknown[]
}

/** Enough to show what is wrong; a server that stores nothing contradicts itself in every answer. */
const mostOpen = 2000

/** Records what a run has written, and where answers contradict it. */
export class Ledger {
  readonly #registers = new Map<string, Register<unknown>>()
  /** Members ever written to a list, by the list's name. */
  readonly #members = new Map<string, { readonly list: List; readonly names: Set<string> }>()
  /** Readings that do not fit the writes so far; a write whose answer is still to come may explain them. */
  readonly #open: Found[] = []
  readonly #people: People
  readonly #isShared: (subject: string) => boolean
  /** Subjects that this run has created, so that nobody wrote to them before. */
  readonly #fresh = new Set<string>()
  /** Number of readings checked against a write. */
  held = 0

  /** @param isShared whether others than this run change a subject, such as `user 7` */
  constructor(people: People, isShared: (subject: string) => boolean = () => false) {
    this.#people = people
    this.#isShared = isShared
  }

  note(exchange: Exchange, operation: Operation, values: ReadonlyMap<string, Json>, caller: number): void {
    const { status, body } = exchange
    const isSuccess = body?.result === 'success'
    if (isSuccess) this.#read(exchange, readingsOf(operation, values, caller, exchange))
    if (!isSuccess && status < 500) return
    // The effect of a failed request is unknown.
    if (isSuccess && operation.id === 'create-user') this.#fresh.add(`user ${body.user_id}`)
    if (isSuccess && operation.id === 'send-message') this.#fresh.add(`message ${body.id}`)
    const span = isSuccess ? exchange : { sentAt: exchange.sentAt, answeredAt: Infinity }
    for (const one of writtenBy(operation, values, { caller, people: this.#people }, exchange)) this.#write(one, span)
  }

  /** From now on, treats as unknown whether such members are in lists of this kind. */
  doubt(kind: List['kind'], isMeant: (list: List, name: string) => boolean, span: Span): void {
    for (const { list, names } of this.#members.values()) {
      if (list.kind !== kind) continue
      for (const name of names) {
        if (isMeant(list, name)) this.#registers.get(memberOf(list, name).name)?.write(unknown, span)
      }
    }
  }

  /** Readings that no write explains at the end of the run: the first of each thing. */
  mismatches(): Mismatch[] {
    const all = this.#open.flatMap((one) => {
      const possible = this.#registers.get(one.thing.name)?.possible(one.exchange)
      return possible === undefined || fits(one.found, possible) ? [] : [{ ...one, possible }]
    })
    return [...new Map(all.toReversed().map((one) => [one.thing.name, one])).values()].toReversed()
  }

  #write({ thing, value, member }: Written, span: Span): void {
    const register = this.#registers.get(thing.name) ?? this.#newRegister(thing)
    register.write(this.#isShared(thing.subject) ? unknown : value, span)
    if (member === undefined) return
    const { list, name } = member
    const known = this.#members.get(list.name) ?? { list, names: new Set() }
    this.#members.set(list.name, known)
    known.names.add(name)
  }

  #newRegister({ name, subject, initial }: Thing): Register<unknown> {
    const register = new Register<unknown>()
    this.#registers.set(name, register)
    if (initial !== undefined && this.#fresh.has(subject)) register.write(initial, { sentAt: -2, answeredAt: -1 })
    return register
  }

  #read(exchange: Exchange, readings: Iterable<Reading>): void {
    for (const reading of readings) {
      if ('thing' in reading) {
        this.#hold(exchange, reading.thing, reading.value)
        continue
      }
      for (const name of this.#members.get(reading.list.name)?.names ?? []) {
        this.#hold(exchange, memberOf(reading.list, name), reading.has(name))
      }
    }
  }

  #hold(exchange: Exchange, thing: Thing, found: unknown): void {
    const possible = this.#registers.get(thing.name)?.possible(exchange)
    if (possible === undefined) return
    this.held += 1
    if (!fits(found, possible) && this.#open.length < mostOpen) this.#open.push({ exchange, thing, found })
  }
}

function fits(found: unknown, possible: readonly unknown[]): boolean {
  const text = canonical(found)
  return possible.some((one) => canonical(one) === text)
}

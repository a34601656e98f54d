import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
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

/** What a run has written, and where answers contradict it. */
export class Ledger {
  readonly #registers = new Map<string, Register<unknown>>()
  /** Members ever written to a list, by the list's name. */
  readonly #members = new Map<string, { readonly list: List; readonly names: Set<string> }>()
  /** Readings that do not fit the writes so far; a write whose answer is still to come may explain them. */
  readonly #open: Found[] = []
  /** The same for events. */
  readonly #told: Found[] = []
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

  /** Names of members ever written to a list. */
  readonly members = ({ name }: List): Iterable<string> => this.#members.get(name)?.names ?? []

  /** @returns what has certainly changed, because it cannot have had this value before */
  note(exchange: Exchange, operation: Operation, values: ReadonlyMap<string, Json>, caller: number): Written[] {
    const { status, body } = exchange
    const isSuccess = body?.result === 'success'
    if (isSuccess) this.#read(exchange, readingsOf(operation, values, caller, exchange))
    if (!isSuccess && status < 500) return []
    // The effect of a failed request is unknown.
    if (isSuccess && operation.id === 'create-user') this.#fresh.add(`user ${body.user_id}`)
    if (isSuccess && operation.id === 'send-message') this.#fresh.add(`message ${body.id}`)
    const span = isSuccess ? exchange : { sentAt: exchange.sentAt, answeredAt: Infinity }
    return writtenBy(operation, values, { caller, people: this.#people }, exchange).filter((written) =>
      this.#write(written, span),
    )
  }

  /** Whether a thing had this value during the whole span. */
  isSurely({ name }: Thing, value: unknown, span: Span): boolean {
    const possible = this.#registers.get(name)?.possible(span)
    return possible?.every((one) => one === value) ?? false
  }

  /** Values that events told and no write of this run explains. */
  untrue(): Mismatch[] {
    return this.#unlike(this.#told, (register) => register?.values)
  }

  /** Checks an event against the writes; things this run has not written to may have been changed by others. */
  noteTold(exchange: Exchange, thing: Thing, found: unknown): void {
    const possible = this.#registers.get(thing.name)?.values
    const isTrue = possible !== undefined && fits(found, possible)
    // It may have been so from the start, and the write of another change may still be unanswered.
    const isUsual = found === false || found === thing.initial
    if (!isTrue && !isUsual && this.#told.length < mostOpen) this.#told.push({ exchange, thing, found })
  }

  /** From now on it is unknown whether such members are in lists of this kind. */
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
    const all = this.#unlike(this.#open, (register, exchange) => register?.possible(exchange))
    return [...new Map(all.toReversed().map((one) => [one.thing.name, one])).values()].toReversed()
  }

  #unlike(
    all: readonly Found[],
    possibleIn: (register: Register<unknown> | undefined, exchange: Exchange) => unknown[] | undefined,
  ): Mismatch[] {
    return all.flatMap((one) => {
      const possible = possibleIn(this.#registers.get(one.thing.name), one.exchange)
      return possible === undefined || fits(one.found, possible) ? [] : [{ ...one, possible }]
    })
  }

  #write({ thing, value: said, member }: Written, span: Span): boolean {
    const value = this.#isShared(thing.subject) ? unknown : said
    const register = this.#registers.get(thing.name) ?? this.#newRegister(thing)
    const before = register.possible(span)
    register.write(value, span)
    if (member !== undefined) {
      const { list, name } = member
      const known = this.#members.get(list.name) ?? { list, names: new Set() }
      this.#members.set(list.name, known)
      known.names.add(name)
    }
    return value !== unknown && before !== undefined && !fits(value, before)
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
      for (const name of this.members(reading.list)) {
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
  const text = JSON.stringify(found)
  return possible.some((one) => JSON.stringify(one) === text)
}

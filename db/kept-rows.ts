import { isDeepStrictEqual } from 'node:util'
import type { LogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import { LogSpan } from './log-span.ts'
import type { Pauses } from './pauses.ts'
import type { Readers } from './repositories.ts'

/** Rows that most answers need, by ascending id. */
export interface RowSource<Row extends { readonly id: number }> {
  /** For messages. */
  readonly name: string
  all(read: Readers, pauses: Pauses): Promise<readonly Row[]>
  /** Those of `ids` that exist. */
  byIds(read: Readers, ids: readonly number[], pauses: Pauses): Promise<readonly Row[]>
  /** Of the events that touch any. */
  readonly types: readonly LogEvent['type'][]
  /** Ids of the rows that the event may have changed, made or removed. */
  touched(event: LogEvent): readonly number[] | 'all'
  /** About what a row takes, with what is made of it. */
  bytes(row: Row): number
}

/** Longer lists are read for each answer. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Rows in memory, as they are at the end of the log: those that an event touches are read again, the next time that
 * somebody asks. A row is the same object, and the list of all the same list, until then: what is made of them (their JSON)
 * can be kept with them.
 */
export class KeptRows<Row extends { readonly id: number }> {
  readonly #source: RowSource<Row>
  readonly #span = new LogSpan()
  #rows: readonly Row[] | undefined
  /** Ids of rows to be read again. */
  #touched = new Set<number>()
  /** Another one after each event that touches a row. */
  #version = 0

  constructor(source: RowSource<Row>) {
    this.#source = source
  }

  /** Begins to follow the log from here, or again. */
  start(position: number): void {
    this.forget()
    this.#span.start(position)
  }

  /** To be called for all events, in the order of the log, before anybody learns of their commit. */
  follow(events: readonly LoggedEvent[]): void {
    for (const logged of events) {
      const ids = this.touchedBy(logged.event)
      this.#span.follow(logged, ids.length > 0)
      if (ids === 'all') this.forget()
      else for (const id of ids) this.#touch(id)
    }
  }

  /** Ids of the rows that the event may have changed, made or removed. */
  touchedBy(event: LogEvent): readonly number[] | 'all' {
    return this.#source.types.includes(event.type) ? this.#source.touched(event) : []
  }

  /** The row that `index` has for `key`, as it is after the events followed so far; undefined where that is not in memory. */
  find<Key>(index: (rows: readonly Row[]) => ReadonlyMap<Key, Row>, key: Key): Row | undefined {
    const row = this.#rows && index(this.#rows).get(key)
    return row && !this.#touched.has(row.id) ? row : undefined
  }

  /** Lets go of everything. */
  forget(): void {
    this.#version += 1
    this.#rows = undefined
    this.#touched.clear()
  }

  #touch(id: number): void {
    this.#version += 1
    if (this.#rows) this.#touched.add(id)
  }

  /**
   * All rows, as they are where `read` reads.
   * @param head of the log, there
   */
  async at(read: Readers, head: number, pauses: Pauses): Promise<readonly Row[]> {
    if (!(await this.#covers(read, head))) return this.#source.all(read, pauses)
    if (this.#rows && this.#touched.size === 0) return this.#rows
    const version = this.#version
    // As they are now: somebody else may be faster, and has replaced them by then.
    const [before, touched] = [this.#rows, new Set(this.#touched)]
    const rows = before
      ? replaced(before, touched, await this.#source.byIds(read, [...touched], pauses))
      : await this.#source.all(read, pauses)
    // With pauses what is read may be of several moments: none of the events between the first and the last may concern it.
    const { eventId } = await read.events.head()
    const isPresent = await this.#covers(read, eventId)
    if (version !== this.#version || !isPresent) return rows
    this.#touched.clear()
    const isKept = rows.reduce((sum, row) => sum + this.#source.bytes(row), 0) <= MAX_BYTES
    this.#rows = isKept ? rows : undefined
    return rows
  }

  #covers({ events }: Readers, head: number): Promise<boolean> {
    return this.#span.covers(events, head, this.#source.types)
  }

  /** @throws Error when the rows in memory are not those of the table */
  async check(read: Readers, head: number, pauses: Pauses): Promise<void> {
    const [kept, stored] = [await this.at(read, head, pauses), await this.#source.all(read, pauses)]
    if ((await read.events.head()).eventId !== head) return // they are of different moments
    for (const index of Array(Math.max(kept.length, stored.length)).keys()) {
      if (isDeepStrictEqual(stored[index], kept[index])) continue
      const [inMemory, inTable] = [kept[index], stored[index]].map((row) => JSON.stringify(row))
      throw new Error(`${this.#source.name} in memory: ${inMemory}, stored: ${inTable}`)
    }
  }
}

/** `rows` with `present` in place of those that have one of `ids`; by ascending id. */
function replaced<Row extends { readonly id: number }>(
  rows: readonly Row[],
  ids: ReadonlySet<number>,
  present: readonly Row[],
): readonly Row[] {
  const untouched = rows.filter(({ id }) => !ids.has(id))
  return [...untouched, ...present].sort((a, b) => a.id - b.id)
}

const maps = new WeakMap<readonly object[], ReadonlyMap<number, object>>()

/** The rows by their ids; made once for a list. */
export function byId<Row extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<Row['id'], Row> {
  let map = maps.get(rows)
  if (!map) {
    map = new Map(rows.map((row) => [row.id, row]))
    maps.set(rows, map)
  }
  return map as ReadonlyMap<Row['id'], Row>
}

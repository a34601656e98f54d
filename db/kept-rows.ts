import { isDeepStrictEqual } from 'node:util'
import type { LogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import { onceFor } from '../domain/once-for.ts'
import type { Pauses } from '../event-loop/pauses.ts'
import { LogSpan } from './log-span.ts'
import type { Readers } from './repositories.ts'

/** Rows that most answers need, by ascending ID. */
export interface RowSource<Row extends { readonly id: number }> {
  /** For error messages. */
  readonly name: string
  all(read: Readers, pauses: Pauses): Promise<readonly Row[]>
  /** Returns those of `ids` that exist. */
  byIds(read: Readers, ids: readonly number[], pauses: Pauses): Promise<readonly Row[]>
  /** Types of the events that may change a row. */
  readonly types: readonly LogEvent['type'][]
  /** IDs of the rows that the event may have changed, created or removed. */
  touched(event: LogEvent): readonly number[] | 'all'
  /** Approximate memory of a row with everything that is cached with it. */
  bytes(row: Row): number
}

/** Larger lists are read for each answer. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Rows in memory, in their state at the end of the log. Rows that an event touches are read again on the next request.
 * Until then a row stays the same object and the list of all rows the same list, so that results such as their JSON can
 * be cached with them.
 */
export class KeptRows<Row extends { readonly id: number }> {
  readonly #source: RowSource<Row>
  readonly #span = new LogSpan()
  #rows: readonly Row[] | undefined
  /** IDs of rows to be read again. */
  #touched = new Set<number>()
  /** Changes with each event that touches a row. */
  #version = 0

  constructor(source: RowSource<Row>) {
    this.#source = source
  }

  /** Starts or restarts following the log at this position. */
  start(position: number): void {
    this.forget()
    this.#span.start(position)
  }

  /** Call it for all events, in the order of the log, before anybody learns of their commit. */
  follow(events: readonly LoggedEvent[]): void {
    for (const logged of events) {
      const ids = this.touchedBy(logged.event)
      this.#span.follow(logged, ids.length > 0)
      if (ids === 'all') this.forget()
      else for (const id of ids) this.#touch(id)
    }
  }

  /** Returns the IDs of the rows that the event may have changed, created or removed. */
  touchedBy(event: LogEvent): readonly number[] | 'all' {
    return this.#source.types.includes(event.type) ? this.#source.touched(event) : []
  }

  /** Returns the row that `index` has for `key` after the events followed so far; undefined if it is not in memory. */
  find<Key>(index: (rows: readonly Row[]) => ReadonlyMap<Key, Row>, key: Key): Row | undefined {
    const row = this.#rows && index(this.#rows).get(key)
    return row && !this.#touched.has(row.id) ? row : undefined
  }

  /** Drops everything. */
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
   * Returns all rows in the state that `read` sees.
   *
   * @param head of the log there
   */
  async at(read: Readers, head: number, pauses: Pauses): Promise<readonly Row[]> {
    if (!(await this.#covers(read, head))) return this.#source.all(read, pauses)
    if (this.#rows && this.#touched.size === 0) return this.#rows
    const version = this.#version
    // Captured now, because another caller may be faster and replace them.
    const [before, touched] = [this.#rows, new Set(this.#touched)]
    const rows = before
      ? replaced(before, touched, await this.#source.byIds(read, [...touched], pauses))
      : await this.#source.all(read, pauses)
    // Because of the pauses, the rows may come from several moments, so no event between the first and the last moment
    // may concern them.
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

  /** @throws Error if the rows in memory differ from the table */
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

/** Returns `rows` with `present` in place of those with one of `ids`, by ascending ID. */
function replaced<Row extends { readonly id: number }>(
  rows: readonly Row[],
  ids: ReadonlySet<number>,
  present: readonly Row[],
): readonly Row[] {
  const untouched = rows.filter(({ id }) => !ids.has(id))
  return [...untouched, ...present].sort((a, b) => a.id - b.id)
}

const mapOf = onceFor(
  (rows: readonly { readonly id: number }[]): ReadonlyMap<number, object> => new Map(rows.map((row) => [row.id, row])),
)

/** Returns the rows by ID; built once for a list. */
export function byId<Row extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<Row['id'], Row> {
  return mapOf(rows) as ReadonlyMap<Row['id'], Row>
}

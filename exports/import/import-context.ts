import { type Column, type Named, type Noun, UnfitValueError } from '../../db/archive/columns.ts'
import type { ImportedDatabase } from '../../db/imported-database.ts'
import type { SqlValue } from '../../db/session.ts'
import { SYSTEM_GROUPS } from '../../domain/user-groups/system-groups.ts'
import { KnownThings } from '../known-things.ts'
import { ArchiveError, shown } from './archive-error.ts'
import type { Line } from './unpack.ts'

/** Maximum number of places remembered for items that are referred to before they appear. */
const MAX_PLACES = 1000

export type Row = Record<string, SqlValue>

/** The knowledge of an import about the archive so far. */
export class ImportContext {
  readonly database: ImportedDatabase
  /** The newest message id in the archive; -1 until the archive states it. */
  lastMessageId = -1
  readonly #known = new KnownThings()
  readonly #whole = new Set<Noun>()
  /** Items that were referred to and have not appeared yet. */
  readonly #awaited = new KnownThings()
  readonly #places = new Map<string, string>()

  constructor(database: ImportedDatabase) {
    this.database = database
    for (const { id } of SYSTEM_GROUPS) this.#known.add('group', id)
  }

  /** @throws {ArchiveError} if it already exists */
  add(noun: Noun, id: number, place: string): void {
    if (this.#known.has([noun, id])) throw new ArchiveError(`${place}: there is ${noun} ${id} already`)
    this.#known.add(noun, id)
  }

  /** Marks a noun as complete: every item referred to must have appeared. @throws {ArchiveError} */
  complete(noun: Noun): void {
    this.#whole.add(noun)
    for (const id of this.#awaited.all(noun)) {
      if (this.#known.has([noun, id])) continue
      const place = this.#places.get(`${noun} ${id}`) ?? 'The archive'
      throw new ArchiveError(`${place} names ${noun} ${id}, which is not in the archive`)
    }
  }

  /** @throws {ArchiveError} for items that can no longer appear */
  requireNamed(named: readonly Named[], place: string): void {
    for (const [noun, id] of named) {
      if (this.#known.has([noun, id])) continue
      if (this.#whole.has(noun)) {
        throw new ArchiveError(`${place} names ${noun} ${id}, which is not in the archive`)
      }
      this.#awaited.add(noun, id)
      if (this.#places.size < MAX_PLACES) this.#places.set(`${noun} ${id}`, place)
    }
  }

  /**
   * Returns the stored values of a line. @throws {ArchiveError} for a value that is missing, unknown, or of the wrong
   * form
   */
  row({ value: line, place }: Line, columns: Readonly<Record<string, Column>>): Row {
    const row: Row = {}
    for (const name of Object.keys(line)) {
      if (!Object.hasOwn(columns, name)) throw new ArchiveError(`${place}: ${shown(name)} is not known`)
    }
    for (const [name, column] of Object.entries(columns)) {
      if (!Object.hasOwn(line, name)) throw new ArchiveError(`${place}: ${name} is missing`)
      row[name] = readAt(`${place}: ${name}`, () => {
        const stored = column.toStored(line[name])
        this.requireNamed(column.named?.(line[name]) ?? [], `${place}: ${name}`)
        return stored
      })
    }
    return row
  }
}

/** Returns the result of `read`; adds `place` to its errors. @throws {ArchiveError} */
export function readAt<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (err) {
    if (err instanceof UnfitValueError) throw new ArchiveError(`${place} ${err.message}`)
    throw err
  }
}

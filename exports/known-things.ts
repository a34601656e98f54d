import type { Named, Noun } from '../db/archive/columns.ts'
import { IdSet } from '../domain/id-set.ts'

/** The items in an archive, by noun and id. */
export class KnownThings {
  readonly #ids: Readonly<Record<Noun, IdSet>> = {
    user: new IdSet(),
    group: new IdSet(),
    channel: new IdSet(),
    folder: new IdSet(),
    'channel set': new IdSet(),
    message: new IdSet(),
    file: new IdSet(),
  }

  add(noun: Noun, id: number): void {
    this.#ids[noun].add(id)
  }

  has([noun, id]: Named): boolean {
    return this.#ids[noun].has(id)
  }

  /** All items of a noun, in no particular order. */
  all(noun: Noun): Iterable<number> {
    return this.#ids[noun]
  }
}

import type { Named, Noun } from '../db/archive/columns.ts'
import { IdSet } from '../domain/id-set.ts'

/** What is in an archive, by its ids. */
export class KnownThings {
  readonly #ids: Readonly<Record<Noun, IdSet>> = {
    ...{ user: new IdSet(), group: new IdSet(), channel: new IdSet(), folder: new IdSet() },
    ...{ 'channel set': new IdSet(), message: new IdSet(), file: new IdSet() },
  }

  add(noun: Noun, id: number): void {
    this.#ids[noun].add(id)
  }

  has([noun, id]: Named): boolean {
    return this.#ids[noun].has(id)
  }

  /** All of a kind, in no order. */
  all(noun: Noun): Iterable<number> {
    return this.#ids[noun]
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { Channel } from '../domain/channels/channel.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { onceFor } from '../domain/once-for.ts'
import { nameKey } from '../domain/text/text-keys.ts'
import type { User } from '../domain/users/user.ts'
import type { Batch } from './batch.ts'
import { byId, type KeptRows } from './kept-rows.ts'
import type { RowReaders, StartReaders } from './repositories.ts'
import type { SharedRows } from './shared-rows.ts'

interface Touched {
  readonly ids: Set<number>
  all: boolean
}

/** Cached rows that no event of the batch has touched. */
class UntouchedRows<Row extends { readonly id: number }> {
  readonly #kept: KeptRows<Row>
  readonly #touched: () => Touched

  constructor(kept: KeptRows<Row>, batch: Batch) {
    this.#kept = kept
    this.#touched = batch.following(
      (): Touched => ({ ids: new Set(), all: false }),
      (touched, events) => this.#add(touched, events),
    )
  }

  #add(touched: Touched, events: readonly LogEvent[]): Touched {
    for (const event of events) {
      const ids = this.#kept.touchedBy(event)
      if (ids === 'all') touched.all = true
      else for (const id of ids) touched.ids.add(id)
    }
    return touched
  }

  /** Returns the row that `index` has for `key`. */
  find<Key>(index: (rows: readonly Row[]) => ReadonlyMap<Key, Row>, key: Key): Row | undefined {
    const { ids, all } = this.#touched()
    const row = all ? undefined : this.#kept.find(index, key)
    return row && !ids.has(row.id) ? row : undefined
  }
}

/** Rows in their state when a body begins, from the cache if possible. */
export class StartReader implements StartReaders {
  readonly #users: UntouchedRows<User>
  readonly #channels: UntouchedRows<Channel>
  readonly #rows: Pick<RowReaders, 'users' | 'channels'>
  readonly #isChecked: boolean

  /** @param isChecked whether cached rows are compared with the tables */
  constructor(
    kept: Pick<SharedRows, 'users' | 'channels'>,
    batch: Batch,
    rows: Pick<RowReaders, 'users' | 'channels'>,
    isChecked: boolean,
  ) {
    this.#users = new UntouchedRows(kept.users, batch)
    this.#channels = new UntouchedRows(kept.channels, batch)
    this.#rows = rows
    this.#isChecked = isChecked
  }

  user(id: UserId): Promise<User | undefined> {
    return this.#present(this.#users.find(byId, id), () => this.#rows.users.byId(id))
  }

  channel(wanted: ChannelId | string): Promise<Channel | undefined> {
    return typeof wanted === 'string'
      ? this.#present(this.#channels.find(byName, nameKey(wanted)), () => this.#rows.channels.byName(wanted))
      : this.#present(this.#channels.find(byId, wanted), () => this.#rows.channels.byId(wanted))
  }

  async #present<Row>(kept: Row | undefined, read: () => Promise<Row | undefined>): Promise<Row | undefined> {
    if (kept === undefined) return read()
    if (this.#isChecked) {
      const stored = await read()
      if (!isDeepStrictEqual(kept, stored)) {
        throw new Error(`in memory: ${JSON.stringify(kept)}, stored: ${JSON.stringify(stored)}`)
      }
    }
    return kept
  }
}

/** Channels by the keys of their names; built once for a list. */
const byName = onceFor(
  (channels: readonly Channel[]) => new Map(channels.map((channel) => [nameKey(channel.name), channel])),
)

import { isDeepStrictEqual } from 'node:util'
import type { Channel } from '../domain/channels/channel.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { onceFor } from '../domain/once-for.ts'
import { nameKey } from '../domain/text/text-keys.ts'
import type { User } from '../domain/users/user.ts'
import { byId, type KeptRows } from './kept-rows.ts'
import type { PendingEvents } from './pending-events.ts'
import type { RowReaders, StartReaders } from './repositories.ts'
import type { SharedRows } from './shared-rows.ts'

/** Tracks which cached rows the bodies of a batch have changed, before the commit. */
export class PendingRows implements PendingEvents {
  readonly users: PendingTouches<User>
  readonly channels: PendingTouches<Channel>

  constructor(shared: Pick<SharedRows, 'users' | 'channels'>) {
    this.users = new PendingTouches(shared.users)
    this.channels = new PendingTouches(shared.channels)
  }

  beginBatch(): void {
    this.users.clear()
    this.channels.clear()
  }

  beginBody(): void {}

  append(event: LogEvent): void {
    this.users.add(event)
    this.channels.add(event)
  }

  /**
   * If a body fails, the rows that it touched are still read from the tables until the batch ends. This is correct too.
   */
  abandonBody(): void {}
}

class PendingTouches<Row extends { readonly id: number }> {
  readonly #kept: KeptRows<Row>
  #ids = new Set<number>()
  #all = false

  constructor(kept: KeptRows<Row>) {
    this.#kept = kept
  }

  clear(): void {
    if (this.#ids.size > 0) this.#ids = new Set()
    this.#all = false
  }

  add(event: LogEvent): void {
    const touched = this.#kept.touchedBy(event)
    if (touched === 'all') this.#all = true
    else for (const id of touched) this.#ids.add(id)
  }

  /**
   * Returns the row that `index` has for `key` if it is cached, and neither the batch nor an event has touched it since
   * it was read.
   */
  find<Key>(index: (rows: readonly Row[]) => ReadonlyMap<Key, Row>, key: Key): Row | undefined {
    const row = this.#all ? undefined : this.#kept.find(index, key)
    return row && !this.#ids.has(row.id) ? row : undefined
  }
}

/** Rows in their state when a body begins, from the cache if possible. */
export class StartReader implements StartReaders {
  readonly #pending: PendingRows
  readonly #rows: Pick<RowReaders, 'users' | 'channels'>
  readonly #isChecked: boolean

  /** @param isChecked whether cached rows are compared with the tables */
  constructor(pending: PendingRows, rows: Pick<RowReaders, 'users' | 'channels'>, isChecked: boolean) {
    this.#pending = pending
    this.#rows = rows
    this.#isChecked = isChecked
  }

  user(id: UserId): Promise<User | undefined> {
    return this.#present(this.#pending.users.find(byId, id), () => this.#rows.users.byId(id))
  }

  channel(wanted: ChannelId | string): Promise<Channel | undefined> {
    const { channels } = this.#pending
    return typeof wanted === 'string'
      ? this.#present(channels.find(byName, nameKey(wanted)), () => this.#rows.channels.byName(wanted))
      : this.#present(channels.find(byId, wanted), () => this.#rows.channels.byId(wanted))
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

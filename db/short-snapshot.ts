import type { Connection } from 'mysql2'
import type { Worker } from '../event-loop/loop-turns.ts'

/**
 * Some ten times the duration of a page of a hundred messages. A longer search returns its connection, so nobody waits
 * longer than this for one.
 */
export const SHORT_SNAPSHOT_MS = 100

export interface Connections {
  acquire(): Promise<Connection>
  release(connection: Connection): Promise<void>
}

export function command(connection: Connection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => connection.query(sql, (err) => (err ? reject(err) : resolve())))
}

/** Begins a snapshot: a reader's connection (repeatable read) sees one state of the database until `commit`. */
export function beginSnapshot(connection: Connection): Promise<void> {
  return command(connection, 'start transaction with consistent snapshot, read only')
}

/**
 * A connection that sees one state of the database for SHORT_SNAPSHOT_MS at most. Later statements get any connection,
 * and each sees the newest state.
 */
export class ShortSnapshot implements Connections {
  readonly #pool: Connections
  readonly #onReturned: () => void
  readonly #timer: NodeJS.Timeout
  #held: Connection | undefined
  #uses = 0
  #isOver = false

  private constructor(pool: Connections, held: Connection, onReturned: () => void) {
    this.#pool = pool
    this.#held = held
    this.#onReturned = onReturned
    this.#timer = setTimeout(() => this.end(), SHORT_SNAPSHOT_MS)
  }

  /** @param onReturned called when the connection is returned, or if there never was one */
  static async begin(pool: Connections, onReturned: () => void): Promise<ShortSnapshot> {
    try {
      const connection = await pool.acquire()
      try {
        await beginSnapshot(connection)
      } catch (err) {
        await pool.release(connection)
        throw err
      }
      return new ShortSnapshot(pool, connection, onReturned)
    } catch (err) {
      onReturned()
      throw err
    }
  }

  /** Whether reads from now on may see later moments. */
  get isOver(): boolean {
    return this.#isOver
  }

  async acquire(): Promise<Connection> {
    if (this.#isOver || !this.#held) return this.#pool.acquire()
    this.#uses += 1
    return this.#held
  }

  async release(connection: Connection): Promise<void> {
    if (connection !== this.#held) return this.#pool.release(connection)
    this.#uses -= 1
    if (this.#isOver) await this.#giveBack()
  }

  /** A statement that is running still sees the old moment. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isOver = true
    await this.#giveBack()
  }

  async #giveBack(): Promise<void> {
    const held = this.#held
    if (!held || this.#uses > 0) return
    this.#held = undefined
    try {
      // A connection with an open snapshot would read the past for its next user; the pool replaces a destroyed one.
      await command(held, 'commit').catch(() => held.destroy())
      await this.#pool.release(held)
    } finally {
      this.#onReturned()
    }
  }
}

/** A limited number of places: each worker has one at a time, and waiting workers get one in the order of arrival. */
export class Places {
  #free: number
  readonly #taken = new Set<Worker>()
  readonly #waiting: { readonly worker: Worker; readonly go: () => void }[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves when `worker` has a place. */
  async take(worker: Worker): Promise<void> {
    if (this.#isFreeFor(worker)) this.#give(worker)
    else await new Promise<void>((go) => this.#waiting.push({ worker, go }))
  }

  giveBack(worker: Worker): void {
    this.#free += 1
    this.#taken.delete(worker)
    const index = this.#waiting.findIndex((one) => this.#isFreeFor(one.worker))
    if (index === -1) return
    for (const next of this.#waiting.splice(index, 1)) {
      this.#give(next.worker)
      next.go()
    }
  }

  #isFreeFor(worker: Worker): boolean {
    return this.#free > 0 && !this.#taken.has(worker)
  }

  #give(worker: Worker): void {
    this.#free -= 1
    this.#taken.add(worker)
  }
}

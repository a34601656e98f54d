import type { Session } from '../session.ts'

/** No statement of a narrow looks at more messages than this. */
export const MAX_ROWS = 5000
const MIN_ROWS = 250
/** Target duration of a statement: longer ones keep everybody waiting, shorter ones pay for their start too often. */
const SHORT_MS = 3
const LONG_MS = 6

/** Decides how many messages the next statement looks at: few at first, then as many as take a few milliseconds. */
export class WindowSize {
  #size: number
  readonly #isHeld: boolean

  /** @param wanted how many are to be found: if most match, one statement is enough */
  constructor(dialect: Session['dialect'], wanted: number) {
    this.#size = Math.min(Math.max(wanted * 2, MIN_ROWS), MAX_ROWS / 5)
    // MariaDB works in another process, and most of its time may be the network's.
    this.#isHeld = dialect === 'sqlite'
  }

  get size(): number {
    return this.#size
  }

  /** Runs a statement that looks at `size` messages, and learns from its duration. */
  async timed<T>(statement: () => T | Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await statement()
    const ms = performance.now() - start
    if (!this.#isHeld || ms < SHORT_MS) this.#size = Math.min(this.#size * 2, MAX_ROWS)
    else if (ms > LONG_MS) this.#size = Math.max(Math.floor(this.#size / 2), MIN_ROWS)
    return result
  }
}

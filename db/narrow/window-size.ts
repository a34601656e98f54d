import type { Session } from '../session.ts'

/** Maximum number of messages that one statement of a narrow looks at. */
export const MAX_ROWS = 5000
const MIN_ROWS = 250
/** Target duration of a statement. Longer ones keep everybody waiting; shorter ones have too much overhead. */
const SHORT_MS = 3
const LONG_MS = 6

/**
 * Decides how many messages the next statement looks at: few at first, then as many as it can check in a few
 * milliseconds.
 */
export class WindowSize {
  #size: number
  readonly #isHeld: boolean

  /** @param wanted number of messages to find; if most match, one statement is enough */
  constructor(dialect: Session['dialect'], wanted: number) {
    this.#size = Math.min(Math.max(wanted * 2, MIN_ROWS), MAX_ROWS / 5)
    // MariaDB works in another process, and most of the measured time may be spent in the network.
    this.#isHeld = dialect === 'sqlite'
  }

  get size(): number {
    return this.#size
  }

  /** Runs a statement that looks at `size` messages, and adapts the size to its duration. */
  async timed<T>(statement: () => T | Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await statement()
    const ms = performance.now() - start
    if (!this.#isHeld || ms < SHORT_MS) this.#size = Math.min(this.#size * 2, MAX_ROWS)
    else if (ms > LONG_MS) this.#size = Math.max(Math.floor(this.#size / 2), MIN_ROWS)
    return result
  }
}

import { hash } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import type { RateLimit } from '../domain/limits.ts'

/** State of a key in its window. */
export interface Standing {
  readonly isOver: boolean
  readonly remaining: number
  /** Until the window ends and counting starts again from zero. */
  readonly msLeft: number
}

/**
 * Maximum number of keys. With more, the key with the oldest window starts again from zero. A client with that many
 * addresses gains little.
 */
const MAX_KEYS = 50_000
/** Longer keys are counted by their digest, because a client may send anything as the name of an account. */
const MAX_KEY_LENGTH = 64

interface Window {
  count: number
  readonly endsAtMs: number
}

/**
 * Counts by key, in windows that begin with a key's first count. Uses the monotonic clock: a change of the machine's
 * clock neither releases anybody who is limited nor extends the limit. That is why no library is used.
 */
export class WindowCounter {
  readonly limit: RateLimit
  readonly #clock: Clock
  /** All windows are equally long, so they end in the order in which they were added. */
  readonly #windows = new Map<string, Window>()

  constructor(limit: RateLimit, clock: Clock) {
    this.limit = limit
    this.#clock = clock
  }

  /** Counts `points` for this key, also beyond the limit, and returns its state. */
  add(key: string, points = 1): Standing {
    const now = this.#clock.monotonic()
    this.#forgetEnded(now)
    const kept = keptKey(key)
    let window = this.#windows.get(kept)
    if (window === undefined) {
      const [oldest] = this.#windows.keys()
      if (this.#windows.size >= MAX_KEYS && oldest !== undefined) this.#windows.delete(oldest)
      window = { count: 0, endsAtMs: now + this.limit.windowSeconds * 1000 }
      this.#windows.set(kept, window)
    }
    window.count += points
    return this.#standing(window, now)
  }

  /** Number of keys that are being counted. */
  get size(): number {
    return this.#windows.size
  }

  #standing({ count, endsAtMs }: Window, now: number): Standing {
    const left = this.limit.count - count
    return { isOver: left < 0, remaining: Math.max(0, left), msLeft: endsAtMs - now }
  }

  #forgetEnded(now: number): void {
    for (const [key, { endsAtMs }] of this.#windows) {
      if (endsAtMs > now) return
      this.#windows.delete(key)
    }
  }
}

function keptKey(key: string): string {
  return key.length > MAX_KEY_LENGTH ? hash('sha256', key) : key
}

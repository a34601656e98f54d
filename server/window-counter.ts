import { hash } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import type { RateLimit } from '../domain/limits.ts'

/** Where a key stands in its window. */
export interface Standing {
  readonly isOver: boolean
  readonly remaining: number
  /** Until the window ends, and everything counts from zero again. */
  readonly msLeft: number
}

/**
 * When there are more, the key whose window began first counts from zero. Whoever has that many addresses gains little.
 */
const MAX_KEYS = 50_000
/** Longer keys are counted by their digest: a client may send anything as the name of an account. */
const MAX_KEY_LENGTH = 64

interface Window {
  count: number
  readonly endsAtMs: number
}

/**
 * Counts by key, in windows that begin with a key's first count. Time comes from the clock that nobody can set: setting
 * the machine's clock neither frees anybody who is limited nor keeps them out for longer, which is why no library does this.
 */
export class WindowCounter {
  readonly limit: RateLimit
  readonly #clock: Clock
  /** All windows are equally long, so they end in the order in which they were put here. */
  readonly #windows = new Map<string, Window>()

  constructor(limit: RateLimit, clock: Clock) {
    this.limit = limit
    this.#clock = clock
  }

  /** Counts `points` more for this key, over the limit too, and says where it then stands. */
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

  /** Takes back what was counted in the present window. */
  takeBack(key: string, points = 1): void {
    this.#forgetEnded(this.#clock.monotonic())
    const window = this.#windows.get(keptKey(key))
    if (window !== undefined) window.count = Math.max(0, window.count - points)
  }

  /** Keys that are being counted. */
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

import { type Clock, systemClock } from '../../domain/clock.ts'

/** The machine's clock, and as much later as somebody has moved it: time goes on by itself, sometimes faster. */
export class MovableClock implements Clock {
  #aheadMs = 0
  /** By how much it runs faster than the machine's, and since when. */
  #extra = 0
  #since = 0

  get aheadMs(): number {
    return this.#aheadMs + this.#extra * (systemClock.monotonic() - this.#since)
  }

  set aheadMs(ms: number) {
    this.#aheadMs = ms
    this.#since = systemClock.monotonic()
  }

  now(): number {
    return Math.floor(systemClock.now() + this.aheadMs)
  }

  monotonic(): number {
    return systemClock.monotonic() + this.aheadMs
  }

  /** It runs so many times as fast during `work`, and has gained that time afterwards. */
  async hasten(times: number, work: () => Promise<void>): Promise<void> {
    this.#accelerate(times - 1)
    try {
      await work()
    } finally {
      this.#accelerate(1 - times)
    }
  }

  #accelerate(extra: number): void {
    this.aheadMs = Math.ceil(this.aheadMs)
    this.#extra += extra
  }
}

import { type Clock, systemClock } from '../../domain/clock.ts'

/** The machine's clock plus an offset that can be moved. It runs by itself, sometimes faster. */
export class MovableClock implements Clock {
  #aheadMs = 0
  /** The factor by which it runs faster than the machine's clock, and since when. */
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

  /** Runs this many times faster during `work`, and keeps the time gained. */
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

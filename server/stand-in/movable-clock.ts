import { type Clock, systemClock } from '../../domain/clock.ts'

/** The machine's clock, and as much later as somebody has moved it: time goes on by itself. */
export class MovableClock implements Clock {
  aheadMs = 0

  now(): number {
    return systemClock.now() + this.aheadMs
  }

  monotonic(): number {
    return systemClock.monotonic() + this.aheadMs
  }
}

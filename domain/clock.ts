/** Source of the time; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970, UTC. May be set forward or back. */
  now(): number
  /** Milliseconds since some moment of this process, for durations. Cannot be set, and never goes back. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

export const DAY_SECONDS = 86_400

/** UNIX time in whole seconds, like every timestamp of the API (ENV-16). */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** UNIX time in seconds of a moment on the monotonic clock. */
export function unixSecondsOf(monotonicMs: number, clock: Clock): number {
  return Math.round((clock.now() - clock.monotonic() + monotonicMs) / 1000)
}

/** Where the time comes from; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970, UTC: what time it is. Somebody may set it, forward or back. */
  now(): number
  /** Milliseconds since some moment of this process: how long something takes. Nobody can set it, and it never goes back. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

export const DAY_SECONDS = 86_400

/** UNIX time in whole seconds, as every timestamp of the API (ENV-16). */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** The UNIX time in seconds of a moment on the clock that nobody can set. */
export function unixSecondsOf(monotonicMs: number, clock: Clock): number {
  return Math.round((clock.now() - clock.monotonic() + monotonicMs) / 1000)
}

/** Where the time comes from; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const DAY_SECONDS = 86_400

/** UNIX time in whole seconds, as every timestamp of the API (ENV-16). */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

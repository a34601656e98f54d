import type { Agent } from 'node:http'

/** What an attack finds: a server under its default limits, and an account with the least rights. */
export interface Ground {
  /** http://host:port */
  readonly url: string
  /** Value of Authorization of a guest who has called nothing yet in this minute. */
  readonly guest: string
  /** Channels that the guest follows: a quiet one, and one with a quarter of a million messages. */
  readonly channel: string
  readonly crowd: string
  /** Messages of the crowd that have all former versions there may be. */
  readonly muchEdited: readonly number[]
  /** Users who have written in the crowd. */
  readonly senderIds: readonly number[]
  /** A thousand user groups, 100 deep, and who manages them. */
  readonly groups: Groups
}

export interface Groups {
  /** Value of Authorization. */
  readonly manager: string
  /** Contains all others, in the end this one. */
  readonly top: number
  /** Has everybody in the crowd. */
  readonly bottom: number
}

/** One attacker at work. */
export interface Attacker extends Ground {
  readonly agent: Agent
  /** Aborted when the attack's time is over. */
  readonly signal: AbortSignal
  /** Numbers in [0, 1), the same for the same seed. */
  readonly random: () => number
}

export interface Attack {
  /** Name in the table and in docs/security.md. */
  readonly id: string
  /** What is sent, in a few words. */
  readonly what: string
  /** Goes on until `signal` is aborted, or until it has done what it can. Refusals are expected; it never throws for one. */
  run(attacker: Attacker): Promise<void>
}

/** A kind of attack that is made up anew for each seed. */
export interface Generator {
  readonly id: string
  make(random: () => number): Omit<Attack, 'id'>
}

/** One of several, by chance. */
export function oneOf<T>(random: () => number, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

/** An integer from `low` to `high`, both included. */
export function between(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}

/** mulberry32: small, and the same everywhere. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

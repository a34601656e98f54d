import type { Agent } from 'node:http'

/** The conditions of an attack: a server under its default limits, and an account with minimal rights. */
export interface Ground {
  /** http://host:port */
  readonly url: string
  /** Value of Authorization of a guest without any calls in this minute. */
  readonly guest: string
  /** Channels of the guest: a quiet one, and one with a quarter of a million messages. */
  readonly channel: string
  readonly crowd: string
  /** Messages in the large channel with the maximum number of edits. */
  readonly muchEdited: readonly number[]
  /** Users who have written in the large channel. */
  readonly senderIds: readonly number[]
  /** A thousand user groups, 100 deep, and the account that manages them. */
  readonly groups: Groups
}

export interface Groups {
  /** Value of Authorization. */
  readonly manager: string
  /** Contains all others, indirectly also this one. */
  readonly top: number
  /** Contains everybody in the large channel. */
  readonly bottom: number
}

/** A running attacker. */
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
  /** Goes on until `signal` is aborted, or nothing is left to do. Refusals are expected, and never throw. */
  run(attacker: Attacker): Promise<void>
}

/** A kind of attack that is generated for each seed. */
export interface Generator {
  readonly id: string
  make(random: () => number): Omit<Attack, 'id'>
}

/** One of several values at random. */
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

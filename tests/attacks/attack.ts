import type { Agent } from 'node:http'
import type { Random } from '../../server/random-testing.ts'

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
  readonly random: Random
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
  make(random: Random): Omit<Attack, 'id'>
}

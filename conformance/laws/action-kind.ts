import fc from 'fast-check'
import type { Exchange } from '../wire/http.ts'
import type { World } from './world.ts'

/** What somebody does: data only, so that it can be printed and done again. Numbers are taken modulo what the world has. */
export interface Action {
  readonly kind: string
  readonly who: number
}

/** Who is there, and what may be said and done there. */
export interface Ground {
  /** Whether the server is a Parley of our own: everything may be done. */
  readonly isOurs: boolean
  readonly who: fc.Arbitrary<number>
  /** Who mostly observes, and so mostly does what only concerns who does it. */
  readonly observer: fc.Arbitrary<number>
  /** Who tries what is for administrators; undefined: whoever may. */
  readonly manager: fc.Arbitrary<number | undefined>
  /** Who is managed; undefined: the newest of those whom the world made. */
  readonly managed: fc.Arbitrary<number | undefined>
  readonly content: fc.Arbitrary<string>
  readonly topic: fc.Arbitrary<string>
  /** What a channel's name begins with, and other ways to write that. */
  readonly name: fc.Arbitrary<readonly string[]>
  /** Whether people are told by a message that others have subscribed them; undefined: as servers do by themselves. */
  readonly isTold?: fc.Arbitrary<boolean>
  /** Kinds that are done more often than they say. */
  readonly weights?: Readonly<Record<string, number>>
}

export interface ActionKind {
  readonly name: string
  /** How often, compared to the others. */
  readonly weight: number
  any(ground: Ground): fc.Arbitrary<Action>
  /** Undefined when there is nothing yet to do it to. */
  perform(world: World, action: Action): Outcome
  /** Whether it is only done at a server of our own. */
  readonly isOurs?: boolean
  /** The level that has it; default all. */
  readonly since?: number
}

type Outcome = Promise<Exchange | undefined> | undefined

/** @param values what the action says beside its kind; who does it is anybody where they do not say */
export function kind<One extends object>(
  name: string,
  weight: number,
  values: (ground: Ground) => { readonly [Key in keyof One]: fc.Arbitrary<One[Key]> },
  perform: (world: World, action: Action & One) => Outcome,
  options: Pick<ActionKind, 'isOurs' | 'since'> = {},
): ActionKind {
  return {
    ...{ name, weight, ...options },
    any: (ground) =>
      fc.record({ kind: fc.constant(name), who: ground.who, ...values(ground) }) as unknown as fc.Arbitrary<Action>,
    perform: (world, action) => perform(world, action as Action & One),
  }
}

/** Which channel, message and the like. */
export const some = fc.nat({ max: 9 })
export const startOrStop = fc.constantFrom('start', 'stop')
export const addOrRemove = fc.constantFrom('add' as const, 'remove' as const)

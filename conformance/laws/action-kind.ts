import fc from 'fast-check'
import type { Exchange } from '../wire/http.ts'
import type { Owned, World } from './world.ts'

/**
 * An action of a person, as plain data, so that it can be printed and repeated. Numbers are taken modulo the number of
 * existing things.
 */
export interface Action {
  readonly kind: string
  readonly who: number
}

/** The people of a law, and what they may write and do. */
export interface Ground {
  /** Whether the server is our own Parley, on which everything may be done. */
  readonly isOurs: boolean
  readonly who: fc.Arbitrary<number>
  /** The observer in most actions, and so the actor in most actions that only concern their actor. */
  readonly observer: fc.Arbitrary<number>
  /** Who tries administrators' actions; undefined means somebody who may do them. */
  readonly manager: fc.Arbitrary<number | undefined>
  /** The person acted on; undefined means the newest person of this world. */
  readonly managed: fc.Arbitrary<number | undefined>
  readonly content: fc.Arbitrary<string>
  readonly topic: fc.Arbitrary<string>
  /** The beginning of a channel's name. */
  readonly name: fc.Arbitrary<string>
  /** Replaces the weights of these kinds. */
  readonly weights?: Readonly<Record<string, number>>
}

export interface ActionKind {
  readonly name: string
  /** Relative frequency; usually 1. */
  readonly weight: number
  any(ground: Ground): fc.Arbitrary<Action>
  /** Undefined if nothing exists yet to act on. */
  perform(world: World, action: Action): Outcome
  /** Whether it is done on our own server only. */
  readonly isOurs?: boolean
  /** The level that introduced it; default: all levels. */
  readonly since?: number
}

type Outcome = Promise<Exchange | undefined> | undefined

type Options = Partial<Pick<ActionKind, 'weight' | 'since'>>

/** @param values fields of the action besides its kind; if they name no actor, it can be anybody */
export function kind<One extends object>(
  name: string,
  values: (ground: Ground) => { readonly [Key in keyof One]: fc.Arbitrary<One[Key]> },
  perform: (world: World, action: Action & One) => Outcome,
  options: Options = {},
): ActionKind {
  return {
    name,
    weight: 1,
    ...options,
    any: (ground) =>
      fc.record({ kind: fc.constant(name), who: ground.who, ...values(ground) }) as unknown as fc.Arbitrary<Action>,
    perform: (world, action) => perform(world, action as Action & One),
  }
}

/** Like `kind`, but only done on our own server. */
export function ourKind<One extends object>(...kindOf: Parameters<typeof kind<One>>): ActionKind {
  return { ...kind(...kindOf), isOurs: true }
}

/** The values of an action that needs none besides its actor. */
export const nothing = () => ({})
export const byManager = ({ manager }: Ground) => ({ by: manager })
export const byObserver = ({ observer }: Ground) => ({ who: observer })

/** An action in which somebody deletes what `oldest` finds, and which removes it from `world.kept(noun)`. */
export function deletion(
  name: string,
  noun: string,
  oldest: (world: World, who: number) => Promise<Owned | undefined>,
  remove: (thing: Owned) => Promise<Exchange>,
  options: Options = {},
): ActionKind {
  const perform = async (world: World, { who }: Action) => {
    const [all, found] = [world.kept<Owned>(noun), await oldest(world, who)]
    if (found) all.splice(all.indexOf(found), 1)
    return found && remove(found)
  }
  return kind(name, byObserver, perform, options)
}

/** Picks a channel, message and so on. */
export const some = fc.nat({ max: 9 })
export const startOrStop = fc.constantFrom('start', 'stop')
export const addOrRemove = fc.constantFrom('add' as const, 'remove' as const)

import fc from 'fast-check'
import { actionKinds } from '../acts/all.ts'
import { LeftOutError } from '../deployment/account.ts'
import type { Exchange } from '../wire/http.ts'
import type { Action, ActionKind, Ground } from './action-kind.ts'
import type { World } from './world.ts'

const kinds = new Map(actionKinds.map((kind) => [kind.name, kind]))

/** Actions that people also do on others' servers. */
export const kindNames: readonly string[] = actionKinds.filter(({ isOurs }) => !isOurs).map(({ name }) => name)
/** Actions that people do on our own server. */
export const ourKindNames: readonly string[] = actionKinds.map(({ name }) => name)

export const sendingKinds: readonly string[] = ['send', 'send direct']

/** Actions of people among themselves, without events for anybody else. */
export const privateKinds: readonly string[] = [
  ...['send', 'send direct', 'edit', 'delete', 'react', 'unreact', 'type', 'type directly', 'flag'],
  ...['subscribe', 'unsubscribe', 'change subscription', 'change topic policy'],
]

/** An action of one of these kinds, chosen by their weights. */
export function anyOf(names: readonly string[], ground: Ground): fc.Arbitrary<Action> {
  return fc.oneof(
    ...names.map((name) => {
      const kind = kindOf(name)
      return { weight: ground.weights?.[name] ?? kind.weight, arbitrary: kind.any(ground) }
    }),
  )
}

/**
 * Performs an action. Refusals are fine, because they change nothing. Actions that the server's level lacks are
 * skipped.
 */
export async function perform(world: World, action: Action): Promise<Exchange | undefined> {
  const kind = kindOf(action.kind)
  if (world.level < (kind.since ?? 0)) return undefined
  try {
    return await kind.perform(world, action)
  } catch (err) {
    if (err instanceof LeftOutError) return undefined
    throw err
  }
}

/** Like `perform`. @returns whether it succeeded; undefined if there was nothing to act on */
export async function succeeds(world: World, action: Action): Promise<boolean | undefined> {
  const before = world.newcomers.length
  const exchange = await perform(world, action)
  if (exchange && exchange.status >= 500) throw new Error(`${JSON.stringify(action)} answered ${exchange.text}`)
  return exchange ? exchange.status === 200 : world.newcomers.length > before || undefined
}

function kindOf(name: string): ActionKind {
  const found = kinds.get(name)
  if (found === undefined) throw new Error(`there is no kind of action '${name}'`)
  return found
}

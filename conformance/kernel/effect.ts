import type { Scene } from '../deployment/scene.ts'
import type { Exchange } from '../wire/http.ts'
import type { Check } from './check.ts'
import type { CheckContext } from './check-context.ts'

/** The rule for what an operation does, beyond what the requirements say about it. */
const effectRule = 'CONTRACT-EFFECT'

/** Checks an answer against what the contract says about the operation. */
export type Shows = (exchange: Exchange, isRight: boolean, expected: string) => boolean

/** A third parameter gets what checks share: `t.scene()`. */
type Run = (t: CheckContext, shows: Shows, scene: Scene) => Promise<void>

/**
 * A check of what an operation does, as others see it, or of several operations that belong together; it is named after
 * the first.
 */
export function effect(
  shown: string | readonly [string, ...string[]],
  title: string,
  others: readonly string[],
  run: Run,
  profile: Check['profile'] = 'core',
): Check {
  const operations = typeof shown === 'string' ? ([shown] as const) : shown
  const check = effectNamed(`effects/${operations[0]}`, title, [...operations, ...others], run, profile)
  return { ...check, shows: operations }
}

/** The same with an id of its own. */
export function effectNamed(
  id: string,
  title: string,
  operations: readonly string[],
  run: Run,
  profile: Check['profile'] = 'core',
): Check {
  return {
    area: 'Effects',
    ...{ profile, id, title, operations },
    requirements: [effectRule],
    async run(t) {
      const scene = run.length > 2 ? await t.scene() : undefined
      const shows: Shows = (exchange, isRight, expected) => t.that(effectRule, exchange, isRight, expected)
      await run(t, shows, scene as Scene)
    },
  }
}

import type { Scene } from '../deployment/scene.ts'
import type { Exchange } from '../wire/http.ts'
import type { Check } from './check.ts'
import type { CheckContext } from './check-context.ts'

/** The rule of checks that compare many operations with a model or a record of everything. */
export const effectRule = 'CONTRACT-EFFECT'

/** Checks an answer against what the contract says about the check's first operation. */
export type Shows = (exchange: Exchange, isRight: boolean, expected: string) => boolean

/** A third parameter receives the shared scene, `t.scene()`. */
type Run = (t: CheckContext, shows: Shows, scene: Scene) => Promise<void>

/**
 * A check of an operation's effect as others see it, or of several related operations. It is named after the first
 * operation, and its findings quote what the contract says about that one.
 */
export function effect(shown: string | readonly [string, ...string[]], title: string, run: Run): Check {
  const operations = typeof shown === 'string' ? ([shown] as const) : shown
  return checkOf(`effects/${operations[0]}`, title, run, operations)
}

/**
 * Like `effect`, with its own id.
 *
 * @param rule the operation, or `effectRule`; by default the operation in an id such as `effects/get-messages/date`
 */
export function effectNamed(id: string, title: string, run: Run, rule = id.split('/')[1] ?? effectRule): Check {
  return checkOf(id, title, run, [rule])
}

/** @param shown operations without which the check is left out, or `effectRule` */
function checkOf(id: string, title: string, run: Run, shown: readonly [string, ...string[]]): Check {
  const [rule, ...also] = shown
  return {
    area: 'Effects',
    id,
    title,
    also,
    requirements: [rule],
    async run(t) {
      for (const operation of shown.map((one) => t.deployment.contract.operations.get(one))) {
        if (operation) t.mustHave(operation)
      }
      const scene = run.length > 2 ? await t.scene() : undefined
      const shows: Shows = (exchange, isRight, expected) => t.that(rule, exchange, isRight, expected)
      await run(t, shows, scene as Scene)
    },
  }
}

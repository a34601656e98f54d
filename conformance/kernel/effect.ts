import type { Exchange } from '../wire/http.ts'
import type { Check } from './check.ts'
import type { CheckContext } from './check-context.ts'

/** The rule under which checks ask what an operation does beside what requirements say of it. */
const effectRule = 'CONTRACT-EFFECT'

/** Holds an answer against what the contract says of the operation. */
export type Shows = (exchange: Exchange, isRight: boolean, expected: string) => boolean

/** A check of what one operation does, as others see it. */
export function effect(
  operation: string,
  title: string,
  others: readonly string[],
  run: (t: CheckContext, shows: Shows) => Promise<void>,
  profile: Check['profile'] = 'core',
): Check {
  return effectNamed(`effects/${operation}`, title, [operation, ...others], run, profile)
}

/** The same under an id of its own. */
export function effectNamed(
  id: string,
  title: string,
  operations: readonly string[],
  run: (t: CheckContext, shows: Shows) => Promise<void>,
  profile: Check['profile'] = 'core',
): Check {
  return {
    area: 'Effects',
    ...{ profile, id, title, operations },
    requirements: [effectRule],
    run: (t) => run(t, (exchange, isRight, expected) => t.that(effectRule, exchange, isRight, expected)),
  }
}

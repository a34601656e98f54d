import { operationNamed } from '../deployment/account.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { holds, innerSchemas, type Schema } from '../wire/contract.ts'
import { stateFor } from './effects/hearing.ts'

const rule = 'CONTRACT-ANSWER'
/** Only present if something was ignored, or if topic policies were not requested. */
const optional = new Set(['ignored_parameters_unsupported', 'muted_topics'])

export const checks: readonly Check[] = [
  {
    area: 'POST /register',
    profile: 'core',
    id: 'register-queue/everything',
    title: 'a client that does not choose is told everything that the contract has at this level',
    requirements: [rule],
    operations: ['register-queue'],
    async run(t) {
      const state = await stateFor(await t.user(), {})
      for (const name of fieldsAt(t)) {
        t.thatOrDeviates(rule, rule, state, state.body[name] !== undefined, `\`${name}\``)
      }
    },
  },
]

/** The fields of the answer at the server's level. */
function fieldsAt({ deployment: { contract }, level }: CheckContext): string[] {
  const fieldsOf = (schema: Schema): string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, { 'x-feature-level': levels = {} }]) =>
      holds(levels, level) && !optional.has(name) ? [name] : [],
    ),
    ...innerSchemas(schema, contract.schemas).flatMap(fieldsOf),
  ]
  return fieldsOf(operationNamed(contract, 'register-queue').answers.get(200) ?? {})
}

import type { ErrorAnswer, Operation } from '../wire/contract.ts'
import { genericProvocation } from './generic.ts'
import { ownProvocations } from './own.ts'
import type { Provocation } from './provocation.ts'

/** How to provoke this refusal of an operation; undefined if nobody knows. */
export function provocationOf(operation: Operation, answer: ErrorAnswer): Provocation | undefined {
  return ownProvocations[operation.id]?.[`${answer.status} ${answer.code}`] ?? genericProvocation(operation, answer)
}

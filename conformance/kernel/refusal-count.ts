import type { Deployment } from '../deployment/deployment.ts'
import { elsewhereOf } from '../provocations/elsewhere.ts'
import { codeExists } from '../provocations/generic.ts'
import { whyUnprovokable } from '../provocations/unprovokable.ts'
import type { ErrorAnswer, Operation } from '../wire/contract.ts'
import { nameOf } from '../wire/refusals.ts'
import type { Check } from './check.ts'

/** For operations whose refusals the run provokes: the codes in the contract, and the codes received. */
export interface RefusalCount {
  readonly listed: number
  readonly seen: number
  /** Refusals that this server never sent: `add-reaction: 400 REACTION_ALREADY_EXISTS`. */
  readonly unseen: readonly string[]
  /** Refusals not seen because no client can or should provoke them. */
  readonly unprovoked: readonly string[]
}

interface Listed {
  readonly operation: Operation
  readonly answer: ErrorAnswer
}

export function refusalCount(selected: readonly Check[], deployment: Deployment): RefusalCount {
  const { contract, refusals, level } = deployment
  const checks = new Set(selected.map(({ id }) => id))
  const isSeen = ({ operation, answer }: Listed): boolean => refusals.first(operation, answer) !== undefined
  const listed = [...contract.operations.values()]
    .filter((operation) => checks.has(`errors/${operation.id}`) && deployment.notAsked(operation) === undefined)
    .flatMap((operation) => operation.errors.map((answer) => ({ operation, answer })))
    .filter(({ answer }) => codeExists(answer.code, level))
    // Other checks may not have been selected.
    .filter((one) => elsewhereOf(one.operation, one.answer) === undefined || isSeen(one))
  const missing = listed.filter((one) => !isSeen(one))
  const [unprovoked = [], unseen = []] = [true, false].map((wanted) =>
    missing
      .filter(({ operation, answer }) => (whyUnprovokable(operation, answer) !== undefined) === wanted)
      .map(({ operation, answer }) => nameOf(operation, answer)),
  )
  return { listed: listed.length, seen: listed.length - missing.length, unseen, unprovoked }
}

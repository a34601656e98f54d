import type { Check } from '../kernel/check.ts'
import type { Operation } from '../wire/contract.ts'
import type { Requirements } from './requirements.ts'

/** Ids of the requirements that could be tested, and that no check names, nor, with same-as, all that they refer to. */
export function requirementsWithoutCheck({ all }: Requirements, checks: readonly Check[]): string[] {
  const named = new Set(checks.flatMap(({ requirements, conditional = [] }) => [...requirements, ...conditional]))
  return [...all.values()]
    .filter(({ untestable }) => untestable === undefined)
    .filter(({ id, sameAs }) => !named.has(id) && (sameAs.length === 0 || !sameAs.every((other) => named.has(other))))
    .map(({ id }) => id)
}

/**
 * Ids of the operations whose own behaviour no check shows. Rules for all operations, such as the envelope or
 * authentication, do not count. A check shows an operation if it names it, or one of its requirements, as its own.
 * Operations that would leave nobody to send further requests have tests of the server instead.
 */
export function operationsWithoutCheck(
  operations: Iterable<Operation>,
  requirements: Requirements,
  checks: readonly Check[],
): string[] {
  const isAsked = ({ asksEach, id }: Check) => asksEach === undefined && !id.startsWith('envelope/')
  const own = checks.filter(isAsked)
  return [...operations]
    .filter(({ endsService }) => !endsService)
    .filter((operation) => !own.some((check) => isAbout(check, operation, requirements)))
    .map(({ id }) => id)
}

/** Whether the check names the operation, or a requirement of it. */
export function isAbout({ id, requirements, also = [] }: Check, operation: Operation, { all }: Requirements): boolean {
  const area = `${operation.method} ${operation.path.replace('/api/v1', '')}`
  return (
    id.split('/').includes(operation.id) ||
    [...requirements, ...also].some((one) => one === operation.id || all.get(one)?.area === area)
  )
}

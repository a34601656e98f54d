import type { Check } from '../kernel/check.ts'
import type { Operation } from '../wire/contract.ts'
import type { Requirements } from './requirements.ts'

/** Whether the check names the operation, or a requirement of it. */
export function isAbout({ id, requirements, also = [] }: Check, operation: Operation, { all }: Requirements): boolean {
  const area = `${operation.method} ${operation.path.replace('/api/v1', '')}`
  return (
    id.split('/').includes(operation.id) ||
    [...requirements, ...also].some((one) => one === operation.id || all.get(one)?.area === area)
  )
}

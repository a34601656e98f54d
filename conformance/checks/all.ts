import { collected } from '../checks.generated.ts'
import type { Check } from '../kernel/check.ts'
import type { Contract } from '../wire/contract.ts'

/** Every check there is: those of one file after those of the other, and last what was not seen until then. */
export function allChecks(contract: Contract): Check[] {
  const checks = collected.flatMap((one) => (typeof one === 'function' ? one(contract) : one))
  const isLate = ({ area }: Check): boolean => area === 'Error codes'
  return [...checks.filter((check) => !isLate(check)), ...checks.filter(isLate)]
}

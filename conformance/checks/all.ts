import { collected } from '../checks.generated.ts'
import type { Check } from '../kernel/check.ts'
import type { Contract } from '../wire/contract.ts'

/** A process asks for those of its contract time and again, and there are a thousand. */
const known = new WeakMap<Contract, readonly Check[]>()

/** Every check there is: those of one file after those of the other, and last what was not seen until then. */
export function allChecks(contract: Contract): readonly Check[] {
  const checks = known.get(contract) ?? checksOf(contract)
  known.set(contract, checks)
  return checks
}

function checksOf(contract: Contract): readonly Check[] {
  const checks = collected.flatMap((one) => (typeof one === 'function' ? one(contract) : one))
  const isLate = ({ area }: Check): boolean => area === 'Error codes'
  return [...checks.filter((check) => !isLate(check)), ...checks.filter(isLate)]
}

import type { Check } from '../kernel/check.ts'
import type { Contract } from '../wire/contract.ts'
import * as nouns from './nouns.ts'

/** A process needs the checks of its contract again and again, and there are a thousand. */
const known = new WeakMap<Contract, readonly Check[]>()

/** Every check: file after file, and last the checks of what was not seen before. */
export function allChecks(contract: Contract): readonly Check[] {
  const checks = known.get(contract) ?? checksOf(contract)
  known.set(contract, checks)
  return checks
}

function checksOf(contract: Contract): readonly Check[] {
  const checks = Object.values(nouns).flatMap((one) => (typeof one === 'function' ? one(contract) : one))
  const isLate = ({ area }: Check): boolean => area === 'Error codes'
  return [...checks.filter((check) => !isLate(check)), ...checks.filter(isLate)]
}

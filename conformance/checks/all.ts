import type { Check, WrittenCheck } from '../kernel/check.ts'
import { readRequirements } from '../requirements/requirements.ts'
import type { Contract } from '../wire/contract.ts'
import * as nouns from './nouns.ts'

/** Cached: one process asks for the thousand checks of its contract many times. */
const known = new WeakMap<Contract, readonly Check[]>()

/** Every check, file by file. The checks of error codes come last: they provoke only refusals not seen before. */
export function allChecks(contract: Contract): readonly Check[] {
  const checks = known.get(contract) ?? checksOf(contract)
  known.set(contract, checks)
  return checks
}

function checksOf(contract: Contract): readonly Check[] {
  const written = Object.values(nouns).flatMap((one) => (typeof one === 'function' ? one(contract) : one))
  const checks = written.map(inItsArea)
  const isLate = ({ area }: Check): boolean => area === 'Error codes'
  return [...checks.filter((check) => !isLate(check)), ...checks.filter(isLate)]
}

function inItsArea(check: WrittenCheck): Check {
  const [first = ''] = check.requirements
  const area = check.area ?? readRequirements().all.get(first)?.area
  if (area === undefined) throw new Error(`check ${check.id} needs an area, because ${first} is under no heading`)
  return { ...check, area }
}

import type { Check } from '../check.ts'
import type { Contract } from '../contract.ts'
import { envelopeChecks } from './envelope.ts'

/** Every check there is, in the order of reports. */
export function allChecks(contract: Contract): Check[] {
  return [...envelopeChecks(contract)]
}

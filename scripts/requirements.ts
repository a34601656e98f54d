/** `npm run requirements`: for each area how many MUST requirements have a check, and the ids of those that have none. */
import { allChecks } from '../conformance/checks/all.ts'
import { readContract } from '../conformance/contract.ts'
import { coverageOf, coverageText } from '../conformance/coverage.ts'
import { readRequirements } from '../conformance/requirements.ts'
import { ensureGenerated } from './generate.ts'

await ensureGenerated()
console.log(coverageText(coverageOf(readRequirements(), allChecks(readContract()))))

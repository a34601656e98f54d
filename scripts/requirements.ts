/**
 * `npm run requirements`: for each area, how many requirements have a check, which have none, and which no client can
 * see; also the operations whose own behaviour no check shows.
 */
import { allChecks } from '../conformance/checks/all.ts'
import { coverageOf, coverageText, operationsWithoutCheck } from '../conformance/requirements/coverage.ts'
import { readRequirements } from '../conformance/requirements/requirements.ts'
import { readContract } from '../conformance/wire/contract.ts'
import { ensureGenerated } from './generate.ts'

await ensureGenerated()
const contract = readContract()
const requirements = readRequirements()
const checks = allChecks(contract)
const areas = coverageOf(requirements, checks)
const withoutCheck = operationsWithoutCheck(contract.operations.values(), requirements, checks)
console.log(coverageText(areas, withoutCheck))

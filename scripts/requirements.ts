/**
 * `npm run requirements [-- --write]`: for each area, how many requirements have a check, and the ids of those without
 * one, with the reason; also the operations whose own behaviour no check shows. `--write` removes ids that now have a
 * check from conformance/requirements/unchecked.yaml. Exit code 1 if that list is wrong.
 */
import { parseArgs } from 'node:util'
import { allChecks } from '../conformance/checks/all.ts'
import { coverageOf, coverageText, operationsWithoutCheck } from '../conformance/requirements/coverage.ts'
import { readRequirements } from '../conformance/requirements/requirements.ts'
import { readUnchecked, shrunk, uncheckedProblems, writeUnchecked } from '../conformance/requirements/unchecked.ts'
import { readContract } from '../conformance/wire/contract.ts'
import { ensureGenerated } from './generate.ts'

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
await ensureGenerated()
const contract = readContract()
const requirements = readRequirements()
const checks = allChecks(contract)
const areas = coverageOf(requirements, checks)
const withoutCheck = operationsWithoutCheck(contract.operations.values(), requirements, checks)
if (values.write) writeUnchecked(shrunk(readUnchecked(), areas))
const listed = readUnchecked()
const reasons = new Map([...listed].flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)))
console.log(coverageText(areas, reasons, withoutCheck))
const problems = uncheckedProblems(listed, areas)
if (problems.length > 0) {
  console.error(`conformance/requirements/unchecked.yaml\n  ${problems.join('\n  ')}`)
  process.exitCode = 1
}

/**
 * `npm run mutants [-- subjects …]`: whether the suite notices servers that do one thing wrong: in the answers of an
 * operation, in the events of a type (`"event reaction/add"`), or in reading the requests of an operation. Prints how
 * many of these mutants some check noticed, by operator and by subject, and how many a right server may produce.
 * Unnoticed ones are listed in `dist/mutants.txt`; it fails if `conformance/mutants/survivors.yaml` does not account
 * for them. Takes more than an hour for all of them.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { idOf, type Mutant } from '../conformance/mutants/mutants-testing.ts'
import { Survey, surveyedChecks } from '../conformance/mutants/survey-testing.ts'
import { equivalents, unlike } from '../conformance/mutants/survivors-testing.ts'
import { ServerPool } from '../conformance/server-pool-testing.ts'
import { readContract } from '../conformance/wire/contract.ts'

const { operations } = readContract()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((subject) => !subject.startsWith('event ') && !operations.has(subject))
assert.deepEqual(unknown, [], 'neither operations nor "event TYPE"')
const servers = new ServerPool()

test('mutants', async () => {
  const survey = new Survey(servers, (subject) => wanted.length === 0 || wanted.includes(subject))
  for (const [index, check] of surveyedChecks.entries()) {
    if (index % 50 === 0) console.error(`check ${index + 1} of ${surveyedChecks.length}`)
    await survey.try(check)
  }
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/mutants.txt', `${survey.missed.map(idOf).toSorted().join('\n')}\n`)
  console.log(`${table(survey, ({ subject }) => subject)}\n\n${table(survey, ({ operator }) => operator)}`)
  console.log(`\nnoticed ${survey.noticed.size} of ${survey.made.size}; of the others, a right server may produce`)
  console.log(equivalents(survey.missed).join('\n'))
  assert.deepEqual(unlike(survey.missed, wanted.length === 0), [], 'conformance/mutants/survivors.yaml')
})

function table({ made, noticed }: Survey, nameOf: (mutant: Mutant) => string): string {
  const rows = [...Map.groupBy(made.values(), nameOf)].map(([name, all]) => {
    const count = all.filter((one) => noticed.has(idOf(one))).length
    return { share: count / all.length, says: `${name}: ${count} of ${all.length}` }
  })
  return rows
    .toSorted((one, other) => one.share - other.share)
    .map(({ share, says }) => `${Math.floor(share * 100)} %  ${says}`)
    .join('\n')
}

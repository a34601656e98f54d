import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../checks/all.ts'
import type { Check } from '../kernel/check.ts'
import { ownRules } from '../kernel/own-rules.ts'
import { readContract } from '../wire/contract.ts'
import { coverageOf, coverageText } from './coverage.ts'
import { parseRequirements, readRequirements } from './requirements.ts'

const checks = allChecks(readContract())
const requirements = readRequirements()

test('count a MUST as checked by its own check or by all that it is the same as', () => {
  const some = parseRequirements(`
ENV-1: { says: One., kind: MUST }
ENV-2: { says: Two., kind: MUST }
ENV-3: { says: Three., kind: MUST, same-as: [ENV-1] }
ENV-4: { says: Four., kind: MUST, same-as: [ENV-1, ENV-2] }
ENV-5: { says: Five., kind: MUST, untestable: Nobody sees it. }
ENV-6: { says: Six., kind: SHOULD }
ENV-7: { says: Seven., kind: MUST }
`)
  const coverage = coverageOf(some, [
    { requirements: ['ENV-1'], also: ['ENV-2'], conditional: ['ENV-7'] } as unknown as Check,
  ])
  assert.deepEqual(coverage, [
    {
      area: 'Conventions',
      checked: ['ENV-1', 'ENV-3', 'ENV-7'],
      unchecked: ['ENV-2', 'ENV-4'],
      untestable: new Map([['ENV-5', 'Nobody sees it.']]),
    },
  ])
  assert.equal(
    coverageText(coverage, new Map([['ENV-4', 'drafts']])),
    [
      'Conventions: 3 of 5 MUST have a check',
      '    waits for a check: ENV-2',
      '    waits for drafts: ENV-4',
      '    ENV-5 cannot be seen from outside: Nobody sees it.',
      'All: 3 of 5 MUST have a check, 2 have none, 1 cannot be tested',
    ].join('\n'),
  )
})

test('every check names requirements that exist, and has an id of its own', () => {
  const unknown = checks.flatMap(({ id, requirements: named, also = [], conditional = [] }) =>
    [...named, ...also, ...conditional]
      .filter((one) => !requirements.all.has(one) && !ownRules.has(one))
      .map((one) => `${id}: ${one}`),
  )
  assert.deepEqual(unknown, [])
  assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length)
})

test('no check checks what is said to be untestable or to be checked elsewhere', () => {
  const named = new Set(checks.flatMap(({ requirements: own, conditional = [] }) => [...own, ...conditional]))
  const wrong = [...requirements.all.values()].filter(
    ({ id, untestable, sameAs }) => named.has(id) && (untestable !== undefined || sameAs.length > 0),
  )
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  )
})

test('operations that checks need are in the contract', () => {
  const { operations } = readContract()
  const unknown = checks.flatMap((check) => check.operations.filter((id) => !operations.has(id)))
  assert.deepEqual(unknown, [])
})

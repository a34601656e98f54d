import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../checks/all.ts'
import type { Check } from '../kernel/check.ts'
import { ownRules } from '../kernel/own-rules.ts'
import { type Operation, readContract } from '../wire/contract.ts'
import { operationsWithoutCheck, requirementsWithoutCheck } from './coverage.ts'
import { parseRequirements, readRequirements } from './requirements.ts'

const contract = readContract()
const { operations } = contract
const checks = allChecks(contract)
const requirements = readRequirements()

test('count a requirement as checked by its own check or by all that it is the same as', () => {
  const some = parseRequirements(`
ENV-1: { says: One. }
ENV-2: { says: Two. }
ENV-3: { says: Three., same-as: [ENV-1] }
ENV-4: { says: Four., same-as: [ENV-1, ENV-2] }
ENV-5: { says: Five., untestable: Nobody sees it. }
ENV-6: { says: Six., kind: SHOULD }
ENV-7: { says: Seven. }
`)
  const check = { requirements: ['ENV-1'], also: ['ENV-2'], conditional: ['ENV-7'] } as unknown as Check
  assert.deepEqual(requirementsWithoutCheck(some, [check]), ['ENV-2', 'ENV-4', 'ENV-6'])
})

test('an operation has a check of its own by a requirement, or because a check names it', () => {
  const some = parseRequirements('# POST /read\nREAD-1: { says: One. }')
  const named = ['read', 'send-message', 'send', 'shown', 'named'].map(
    (id) => ({ id, method: id === 'read' ? 'POST' : 'GET', path: `/${id}` }) as Operation,
  )
  const check = (values: Partial<Check>) => ({ id: 'check', requirements: [], ...values }) as Partial<Check> as Check
  const few = [
    check({ requirements: ['READ-1'] }),
    check({ requirements: ['send-message'] }),
    check({ also: ['shown'] }),
    check({ id: 'roles/send', asksEach: 'send' }),
    check({ id: 'envelope/success/named' }),
  ]
  assert.deepEqual(operationsWithoutCheck(named, some, few), ['send', 'named'])
})

test('every requirement that can be tested has a check', () => {
  assert.deepEqual(requirementsWithoutCheck(requirements, checks), [])
})

test('every operation of the contract has a check of its own behaviour', () => {
  assert.deepEqual(operationsWithoutCheck(operations.values(), requirements, checks), [])
})

test('every check names requirements that exist, and has an id of its own', () => {
  const unknown = checks.flatMap(({ id, requirements: named, also = [], conditional = [] }) =>
    [...named, ...also, ...conditional]
      .filter((one) => ![requirements.all, ownRules, operations].some((rules) => rules.has(one)))
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

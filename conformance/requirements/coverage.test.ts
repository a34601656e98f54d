import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../checks/all.ts'
import { ownRules } from '../kernel/own-rules.ts'
import { readContract } from '../wire/contract.ts'
import { isAbout } from './about.ts'
import { readRequirements } from './requirements.ts'

const contract = readContract()
const { operations } = contract
const checks = allChecks(contract)
const requirements = readRequirements()

test('every testable requirement has a check, or equals others that have one', () => {
  const named = new Set(checks.flatMap(({ requirements: own, conditional = [] }) => [...own, ...conditional]))
  const unchecked = [...requirements.all.values()]
    .filter(({ untestable }) => untestable === undefined)
    .filter(({ id, sameAs }) => !named.has(id) && (sameAs.length === 0 || !sameAs.every((other) => named.has(other))))
  assert.deepEqual(
    unchecked.map(({ id }) => id),
    [],
  )
})

test('every operation of the contract has a check of its own behaviour', () => {
  // Rules for all operations do not count. What ends the service would leave nobody to send further requests.
  const own = checks.filter(({ asksEach, id }) => asksEach === undefined && !id.startsWith('envelope/'))
  const unchecked = [...operations.values()]
    .filter(({ endsService }) => !endsService)
    .filter((operation) => !own.some((check) => isAbout(check, operation, requirements)))
  assert.deepEqual(
    unchecked.map(({ id }) => id),
    [],
  )
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

test('no check names a requirement that is untestable or checked elsewhere', () => {
  const named = new Set(checks.flatMap(({ requirements: own, conditional = [] }) => [...own, ...conditional]))
  const wrong = [...requirements.all.values()].filter(
    ({ id, untestable, sameAs }) => named.has(id) && (untestable !== undefined || sameAs.length > 0),
  )
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  )
})

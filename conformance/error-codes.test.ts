import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allChecks } from './checks/all.ts'
import { provocationOf } from './provocations/all.ts'
import { elsewhere, elsewhereOf } from './provocations/elsewhere.ts'
import { ownProvocations } from './provocations/own.ts'
import { unprovokable, whyUnprovokable } from './provocations/unprovokable.ts'
import { readContract } from './wire/contract.ts'
import { OperationFinder } from './wire/operation-finder.ts'
import { nameOf } from './wire/refusals.ts'

const contract = readContract()
const operations = [...contract.operations.values()]
const refusals = operations.flatMap((operation) => operation.errors.map((answer) => ({ operation, answer })))

test('every refusal of the contract is provoked, or has a reason why not', () => {
  const unknown = refusals.filter(
    ({ operation, answer }) =>
      whyUnprovokable(operation, answer) === undefined &&
      elsewhereOf(operation, answer) === undefined &&
      provocationOf(operation, answer) === undefined,
  )
  assert.deepEqual(
    unknown.map(({ operation, answer }) => nameOf(operation, answer)),
    [],
  )
  assert.ok(refusals.length > 500)
})

test('only refusals of the contract are provoked', () => {
  const own = Object.entries(ownProvocations).flatMap(([id, answers]) =>
    Object.keys(answers).map((answer) => `${id}: ${answer}`),
  )
  const listed = new Set(refusals.map(({ operation, answer }) => nameOf(operation, answer)))
  assert.deepEqual(
    [...own, ...Object.keys(elsewhere)].filter((name) => !listed.has(name)),
    [],
  )
})

test('refusals that are provoked elsewhere have a check there', () => {
  const known = new Set(
    allChecks(contract).flatMap(({ id, requirements, conditional = [] }) => [id, ...requirements, ...conditional]),
  )
  const wanted = refusals.flatMap(({ operation, answer }) => elsewhereOf(operation, answer) ?? [])
  assert.deepEqual(
    wanted.filter((one) => !known.has(one)),
    [],
  )
})

test('refusals that are not provoked here have operations and a test of Parley that provokes them', () => {
  for (const {
    code,
    operations: ids,
    test: [file, name],
  } of unprovokable) {
    const listed = refusals.filter(({ answer }) => answer.code === code).map(({ operation }) => operation.id)
    assert.deepEqual(ids?.filter((id) => !listed.includes(id)) ?? [], [], code)
    assert.notEqual(listed.length, 0, code)
    const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
    assert.ok(text.includes(`test('${name}`), `${file} has no test '${name}'`)
    // The tests that call every operation name the code in their own title.
    assert.ok(text.includes(code), `${file} says nothing of ${code}`)
  }
})

test('every operation is found at the path of its own requests', () => {
  const finder = OperationFinder.of(contract)
  for (const { id, method, path } of operations) {
    assert.equal(finder.find(method, path.replaceAll(/\{\w+\}/g, '7'))?.id, id)
  }
})

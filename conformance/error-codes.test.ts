import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operationNamed } from './deployment/account.ts'
import { provocationOf } from './provocations/all.ts'
import { ownProvocations } from './provocations/own.ts'
import { unprovokable, whyUnprovokable } from './provocations/unprovokable.ts'
import { readContract } from './wire/contract.ts'
import type { Exchange } from './wire/http.ts'
import { OperationFinder } from './wire/operation-finder.ts'
import { listing, nameOf, Refusals } from './wire/refusals.ts'

const contract = readContract()
const operations = [...contract.operations.values()]
const refusals = operations.flatMap((operation) => operation.errors.map((answer) => ({ operation, answer })))

test('every refusal of the contract is provoked, or it is said why not', () => {
  const unknown = refusals.filter(
    ({ operation, answer }) =>
      whyUnprovokable(operation, answer) === undefined && provocationOf(operation, answer) === undefined,
  )
  assert.deepEqual(
    unknown.map(({ operation, answer }) => nameOf(operation, answer)),
    [],
  )
  assert.ok(refusals.length > 500)
})

test('nothing is provoked that the contract does not list', () => {
  const own = Object.entries(ownProvocations).flatMap(([id, answers]) =>
    Object.keys(answers).map((answer) => `${id}: ${answer}`),
  )
  const listed = new Set(refusals.map(({ operation, answer }) => nameOf(operation, answer)))
  assert.deepEqual(
    own.filter((name) => !listed.has(name)),
    [],
  )
})

test('what is not provoked here is listed by operations, and by a test of Parley that provokes it', () => {
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

test('a request is known by its method and path', () => {
  const finder = OperationFinder.of(contract)
  const found = (method: string, path: string) => finder.find(method, path)?.id
  assert.equal(found('GET', '/api/v1/messages?anchor=1'), 'get-messages')
  assert.equal(found('GET', '/api/v1/messages/matches_narrow'), 'check-messages-match-narrow')
  assert.equal(found('GET', '/api/v1/messages/43'), 'get-message')
  assert.equal(found('GET', '/api/v1/users/me'), 'get-own-user')
  assert.equal(found('GET', '/api/v1/users/a%40b'), 'get-user')
  assert.equal(found('GET', '/user_uploads/1/a/b'), 'get-uploaded-file')
  for (const path of ['/api/v1/messages/', '/messages', '/api/v1/xmessages', '/api/v1']) {
    assert.equal(found('GET', path), undefined, path)
  }
  assert.equal(found('PUT', '/api/v1/messages'), undefined)
})

test('a word for a number belongs to the operation, unless the path is another one with it', () => {
  const finder = OperationFinder.of(contract)
  const found = (method: string, path: string) => finder.find(method, path)?.id
  assert.equal(found('GET', '/api/v1/messages/none'), 'get-message')
  assert.equal(found('GET', '/api/v1/messages/render'), undefined)
  assert.equal(found('DELETE', '/api/v1/users/none'), 'deactivate-user')
})

test('every operation is found at the path of its own requests', () => {
  const finder = OperationFinder.of(contract)
  for (const { id, method, path } of operations) {
    assert.equal(finder.find(method, path.replaceAll(/\{\w+\}/g, '7'))?.id, id)
  }
})

test('refusals are told apart by operation, status and code, and the first of each is kept', () => {
  const seen = new Refusals(contract)
  const addReaction = operationNamed(contract, 'add-reaction')
  const wanted = { status: 400, code: 'REACTION_ALREADY_EXISTS' }
  assert.equal(seen.note(answer(200, undefined)), undefined)
  assert.equal(seen.note(answer(400, undefined)), undefined)
  assert.equal(seen.note(answer(404, 'BAD_REQUEST', '/api/v1/none')), undefined)
  const first = answer(400, wanted.code)
  const kinds = [first, answer(400, wanted.code), answer(404, wanted.code), answer(400, 'BAD_NARROW')].map((exchange) =>
    listing(seen.note(exchange) ?? assert.fail()),
  )
  assert.deepEqual(kinds, ['listed', 'listed', 'other status', 'other code'])
  assert.equal(seen.first(addReaction, wanted), first)
  assert.equal(seen.first(addReaction, { ...wanted, code: 'BAD_REQUEST' }), undefined)
  assert.equal(seen.first(operationNamed(contract, 'remove-reaction'), wanted), undefined)
})

function answer(status: number, code: string | undefined, path = '/api/v1/messages/43/reactions'): Exchange {
  return { request: { method: 'POST', path }, status, body: { result: 'error', code } } as Exchange
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestOf } from '../conformance/deployment/account.ts'
import { type Operation, readContract } from '../conformance/wire/contract.ts'
import { bareApp, served } from './bare-app-testing.ts'
import { basic, sharedParley } from './testing.ts'

/** Without credentials, the first refusal is about something that the caller knows. */
const NEWCOMER = {
  username: 'somebody@parley.example',
  password: 'a password',
  invite_key: 'none',
  full_name: 'Somebody',
}
const CALLS_OF_ACCOUNT = 200
const CALLS_OF_ADDRESS = 100
const STARTS_OF_ADDRESS = 1000

/**
 * Errors that the conformance suite does not provoke, because no client can or should
 * (conformance/provocations/unprovokable.ts).
 */
function operationsWith(code: string): Operation[] {
  const operations = [...readContract().operations.values()].filter(({ errors }) =>
    errors.some((one) => one.code === code),
  )
  assert.notEqual(operations.length, 0)
  return operations
}

/** Status and code of every unexpected answer, by operation. */
async function otherAnswers(
  operations: readonly Operation[],
  wanted: string,
  send: (operation: Operation) => Promise<Response>,
): Promise<string[]> {
  const others: string[] = []
  for (const operation of operations) {
    const response = await send(operation)
    const { code } = (await response.json()) as { code?: string }
    if (`${response.status} ${code}` !== wanted) others.push(`${operation.id}: ${response.status} ${code}`)
  }
  return others
}

/** Calls the operation with the fewest parameters that show its refusal. */
function ask(url: string, operation: Operation, headers: Record<string, string> = {}): Promise<Response> {
  const isOfAccounts = operation.minimumRole === 'anonymous' && operation.method === 'POST'
  const { method, path, form = [] } = requestOf(operation, isOfAccounts ? NEWCOMER : {})
  const body = new URLSearchParams(form as [string, string][])
  return fetch(`${url}${path}`, { method, headers, ...(form.length > 0 && { body }) })
}

test('every operation answers INTERNAL_SERVER_ERROR when the server fails', async () => {
  const fail = (): never => {
    throw new Error('nothing works')
  }
  const services = new Proxy({}, { ownKeys: fail })
  const { app } = await bareApp({ services, authenticator: { authenticate: fail } })
  const url = await served(app)
  const operations = operationsWith('INTERNAL_SERVER_ERROR')
  assert.equal(operations.length, readContract().operations.size)
  const others = await otherAnswers(operations, '500 INTERNAL_SERVER_ERROR', (operation) => ask(url, operation))
  assert.deepEqual(others, [])
})

const limited = sharedParley('sqlite', { rateLimits: true, trustProxy: true })

test('every operation answers RATE_LIMIT_HIT to an account or address above its limit', async () => {
  const { url, as } = await limited()
  const member = as('member')
  const spentAddress = { 'X-Forwarded-For': '192.0.2.7' }
  for (let calls = 0; calls < CALLS_OF_ACCOUNT; calls += 1) await member.get('/users/me')
  const spend = async (path: string, count: number): Promise<void> => {
    for (let calls = 0; calls < count; calls += 1) {
      await (await fetch(`${url}/api/v1${path}`, { headers: spentAddress })).arrayBuffer()
    }
  }
  await spend('/users/me', CALLS_OF_ADDRESS)
  await spend('/server_settings', STARTS_OF_ADDRESS)
  const others = await otherAnswers(operationsWith('RATE_LIMIT_HIT'), '429 RATE_LIMIT_HIT', (operation) => {
    if (operation.minimumRole === 'anonymous') return ask(url, operation, spentAddress)
    if (operation.hasEnvelope) return ask(url, operation, { Authorization: basic(member.email, member.apiKey) })
    // Reading a file does not count, but guessing keys always does.
    return ask(url, operation, { ...spentAddress, Authorization: basic(member.email, 'x'.repeat(32)) })
  })
  assert.deepEqual(others, [])
})

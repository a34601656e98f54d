import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PushRelay } from '../../conformance/deployment/push-relay.ts'
import { harmless, readContract } from '../../conformance/wire/contract.ts'
import type { Login } from '../../conformance/wire/http.ts'
import { sharedParley } from '../../server/testing.ts'
import { Session, type SessionReport, type Transaction } from './session.ts'

const folder = await mkdtemp(join(tmpdir(), 'dredd-session-'))
after(() => rm(folder, { recursive: true, force: true }))

const contract = readContract()
const asked = harmless(contract)
const relay = await PushRelay.listen()
const parley = sharedParley('sqlite', { pushRelayUrl: relay.url, hasDevelopmentLogin: true })

/** Does what Dredd does, for all operations in turn. */
async function run(logins: readonly Login[]): Promise<SessionReport> {
  const { url } = await parley()
  const report = join(folder, 'report.json')
  const session = await Session.open({ url, logins, report })
  for (const { id } of asked) {
    const transaction: Transaction = {
      id: '',
      origin: { actionName: id },
      request: { method: '', headers: {}, body: '' },
      fullPath: '',
      expected: { headers: { 'Content-Type': 'application/json' } },
    }
    await session.prepare(transaction)
    if (transaction.skip !== true && transaction.fail === undefined) await send(transaction, url)
    session.answered(transaction)
    session.judge(transaction)
  }
  await session.close()
  return JSON.parse(await readFile(report, 'utf8')) as SessionReport
}

async function send(transaction: Transaction, url: string): Promise<void> {
  const { method, headers, body } = transaction.request
  const answer = await fetch(url + transaction.fullPath, { method, headers, ...(body !== '' && { body }) })
  const names: Record<string, string> = {}
  answer.headers.forEach((value, name) => {
    names[name] = value
  })
  Object.assign(transaction, { real: { statusCode: answer.status, headers: names, body: await answer.text() } })
}

test('one member alone exercises all that needs nobody else', async () => {
  const { as } = await parley()
  const { email, apiKey } = as('member')
  const { results, remains } = await run([{ email, apiKey }])
  assert.deepEqual(
    results.filter(({ outcome }) => outcome === 'failed'),
    [],
  )
  const leftOut = results.filter(({ outcome }) => outcome === 'left out')
  const needs = (role: string) => `needs the credentials of a person with the role ${role}`
  const roles = ['administrator', 'owner'].map(needs)
  const user = 'needs a new user, and none can be made: the credentials have no administrator'
  assert.deepEqual(
    new Set(leftOut.map(({ reason }) => reason)),
    new Set([...roles, user]),
    JSON.stringify(leftOut.filter(({ reason }) => !roles.includes(reason ?? '') && reason !== user)),
  )
  const because = (wanted: string) =>
    leftOut.filter(({ reason }) => reason === wanted).map(({ operation }) => operation)
  for (const { id, minimumRole } of asked) {
    if (roles.includes(needs(minimumRole))) assert.ok(because(needs(minimumRole)).includes(id), id)
  }
  assert.deepEqual(because(user), [
    ...['fetch-api-key', 'deactivate-own-user', 'regenerate-own-api-key', 'upload-own-avatar', 'remove-own-avatar'],
    ...['mute-user', 'unmute-user', 'get-avatar-picture'],
  ])
  assert.equal(results.length, asked.length)
  // The scene, and the channels of subscribe, unsubscribe and archive-stream: a member cannot remove them.
  assert.ok(remains.length <= 4, remains.join())
})

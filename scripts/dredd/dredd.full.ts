import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readCredentials } from '../../conformance/deployment/credentials.ts'
import { PushRelay } from '../../conformance/deployment/push-relay.ts'
import { type Fault, faultyProxy } from '../../conformance/testing.ts'
import { harmless, readContract } from '../../conformance/wire/contract.ts'
import type { Login } from '../../conformance/wire/http.ts'
import { sharedParley } from '../../server/testing.ts'
import { type DreddOptions, type DreddReport, installedDredd, runDredd } from './run.ts'
import type { OperationResult } from './session.ts'

const folder = await mkdtemp(join(tmpdir(), 'dredd-test-'))
after(() => rm(folder, { recursive: true, force: true }))

const contract = readContract()
const asked = harmless(contract)
const ids = asked.map(({ id }) => id)
const relay = await PushRelay.listen()
const parley = sharedParley('sqlite', { pushRelayUrl: relay.url, hasDevelopmentLogin: true })

async function target(): Promise<{ url: string; logins: readonly Login[]; credentialsFile: string }> {
  const { url, dataFolder } = await parley()
  const credentialsFile = join(dataFolder, 'demo-credentials.json')
  return { url, logins: readCredentials(credentialsFile).logins, credentialsFile }
}

/** A run against a server that is right except for `fault`. */
async function runWith(fault: Fault, options: Partial<DreddOptions> = {}): Promise<DreddReport> {
  const { url, logins } = await target()
  const proxy = await faultyProxy(url, fault)
  try {
    return await runDredd({ url: proxy.url, logins, ...options })
  } finally {
    await proxy.close()
  }
}

/** `npm run dredd`, without npm. */
function command(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, '../dredd.ts'), ...args], (err, stdout, stderr) =>
      resolve({ code: err?.code ?? 0, stdout, stderr }),
    )
  })
}

function named({ results }: DreddReport, outcome: OperationResult['outcome']): string[] {
  return results.filter((result) => result.outcome === outcome).map(({ operation }) => operation)
}

/** Reasons by operation. */
function reasons({ results }: DreddReport, outcome: OperationResult['outcome']): Record<string, string> {
  const found = results.filter((result) => result.outcome === outcome)
  return Object.fromEntries(found.map(({ operation, reason = '' }) => [operation, reason]))
}

// Without a registry Dredd cannot be installed; in CI the tests then fail.
const missing = await installedDredd().then(
  () => undefined,
  (err: Error) => err.message,
)
const skip = process.env.CI === undefined && missing !== undefined && missing

// SQLite only: the suite sends the same requests to both databases.
describe('npm run dredd', { skip }, () => {
  test('exercises every operation without complaints, and leaves nothing behind', async () => {
    const { url, dataFolder, credentials, as } = await parley()
    const credentialsFile = join(dataFolder, 'demo-credentials.json')
    const { code, stdout, stderr } = await command('--url', url, '--credentials', credentialsFile)
    const count = ids.length
    const lines = stdout.trim().split('\n')
    assert.deepEqual(
      lines.filter((line) => !/^(pass: |complete: Tests took |$)/.test(line)),
      [
        `complete: ${count} passing, 0 failing, 0 errors, 0 skipped, ${count} total`,
        `PASSED: ${count} of ${count} operations exercised, 0 failed, 0 left out (feature level ${contract.level})`,
      ],
      stdout,
    )
    assert.deepEqual([code, stderr], [0, ''])
    const { body } = await as('owner').get('/users')
    const active = body.members.filter((user: Record<string, unknown>) => user.is_active)
    assert.equal(active.length, Object.keys(credentials.users).length)
  })

  test('ends when interrupted, after cleaning up', async () => {
    const { url, logins } = await target()
    const interruption = new AbortController()
    const onLine = (line: string): void => {
      if (line.startsWith('pass:')) interruption.abort()
    }
    const report = await runDredd({ url, logins, onLine, signal: interruption.signal })
    assert.deepEqual([report.passed, report.remains], [false, []])
    assert.deepEqual(report.problems, ['the run was interrupted'])
    assert.deepEqual(named(report, 'failed'), [])
    assert.ok(named(report, 'exercised').length > 0 && named(report, 'left out').length > 50)
    const { members } = await (await parley()).as('owner').must('GET', '/users')
    const active = members.filter((user: { is_active: boolean }) => user.is_active)
    assert.deepEqual(
      active.filter(({ full_name }: { full_name: string }) => full_name.includes('Conformance')),
      [],
    )
  })

  test('exercises with one member all that needs nobody else', async () => {
    const { url, as } = await parley()
    const { email, apiKey } = as('member')
    const report = await runDredd({ url, logins: [{ email, apiKey }] })
    const { 'add-reaction': none, 'create-user': role, 'mute-user': user } = reasons(report, 'left out')
    assert.deepEqual([report.passed, none], [true, undefined])
    assert.equal(role, 'needs the credentials of a person with the role administrator')
    assert.equal(user, 'needs a new user, and none can be made: the credentials have no administrator')
    // The scene, and the channels of subscribe, unsubscribe and archive-stream: a member cannot remove them.
    assert.ok(report.remains.length <= 4, report.remains.join())
  })

  test('names the faults of a server of an older level, and skips later operations', async () => {
    const level = 263
    const report = await runWith((answer, { method, path }) => {
      const { body, headers } = answer
      const changes: Record<string, () => void> = {
        'GET /server_settings': () => Object.assign(body, { zulip_feature_level: level }),
        // No faults: a charset, and two fields that came after this level.
        'GET /users': () => headers.set('content-type', 'Application/JSON; charset=utf-8'),
        'POST /user_uploads': () => Object.assign(body, { url: undefined, filename: undefined }),
        'GET /attachments': () => Object.assign(body, { upload_space_used: undefined }),
        'GET /users/me/alert_words': () => body.alert_words.push(7),
        'POST /messages/render': () => headers.set('content-type', 'text/html'),
        'GET /bot_storage': () => Object.assign(answer, { status: 400, body: { result: 'error', msg: 'No' } }),
      }
      changes[`${method} ${path}`]?.()
      if (path.startsWith('/user_uploads/temporary/')) answer.body = '{}'
    })
    const { 'get-attachments': missing = '', ...others } = reasons(report, 'failed')
    assert.match(missing, /^the answer must have required property 'upload_space_used'/)
    assert.deepEqual(others, {
      'get-alert-words': '/alert_words/0 must be string, and is 7',
      'render-message': `Dredd: headers: At '/content-type' No enum match for: "text/html"`,
      'get-bot-storage': 'HTTP 400: {"result":"error","msg":"No"}',
      'get-temporary-file': 'the answer is not "a text" but "{}"',
    })
    assert.deepEqual([report.passed, report.problems], [false, []])
    const { curl = '' } = report.results.find(({ operation }) => operation === 'get-bot-storage') ?? {}
    assert.match(
      curl,
      /^curl -sS -i -g -X GET 'http.*\/api\/v1\/bot_storage' \\\n {2}-u "\$CONFORMANCE_USER_\w+_LOGIN"$/m,
    )
    const later = asked.filter(({ levels }) => (levels.from ?? 0) > level)
    assert.deepEqual(
      Object.keys(reasons(report, 'left out')),
      later.map(({ id }) => id),
    )
  })

  test('fails if every answer is {}, without showing an API key', async () => {
    const { url, logins, credentialsFile } = await target()
    // The requests by which the hooks prepare others succeed.
    const proxy = await faultyProxy(url, (answer, { userAgent }) => {
      if (!userAgent.startsWith('Dredd/')) return
      answer.headers.set('content-type', 'application/json')
      Object.assign(answer, { status: 200, body: {} })
    })
    try {
      const { code, stdout } = await command('--url', proxy.url, '--credentials', credentialsFile)
      assert.equal(code, 1, stdout)
      assert.match(stdout, /^problem: no operation was exercised\nFAILED: 0 of \d+ operations exercised, /m)
      for (const { email, apiKey } of logins) {
        const basic = Buffer.from(`${email}:${apiKey}`).toString('base64')
        assert.ok(![apiKey, basic].some((secret) => stdout.includes(secret)), `the key of ${email} is shown`)
      }
    } finally {
      await proxy.close()
    }
  })

  // Dredd itself accepts this.
  test('fails if the hooks leave out everything', async () => {
    const hooks = join(folder, 'hooks.cjs')
    await writeFile(hooks, `require('hooks').beforeEach((one) => {\n  one.skip = true\n})\n`)
    const report = await runWith(() => {}, { hooks })
    assert.deepEqual(report.problems.slice(0, 1), ['the hooks were not loaded, or Dredd ended before they were done'])
    assert.deepEqual([report.passed, named(report, 'failed')], [false, ids])
  })
})

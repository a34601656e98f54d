import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProcess, temporaryFolder } from './process-testing.ts'
import { ApiClient } from './testing.ts'

test('U10: a failed login is one line of the log, with the client’s address and without the attempted values (SEC-LOG-1)', async (t) => {
  const environment = {
    PARLEY_LOG_LEVEL: 'info',
    PARLEY_TRUST_PROXY: 'on',
    PARLEY_METRICS_TOKEN: 'token-of-the-metrics',
  }
  const server = await startProcess(t, { dataFolder: await temporaryFolder(t), environment })
  const { url } = server
  const member = server.as('member')
  const from = (address: string, headers: object = {}) => ({ headers: { 'X-Forwarded-For': address, ...headers } })
  const body = new URLSearchParams({ username: member.email, password: 'a wrong password' })
  await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body, ...from('192.0.2.1') })
  const wrong = new ApiClient(url, { email: member.email, api_key: 'x'.repeat(32), user_id: member.userId })
  await wrong.request('GET', '/users/me', {}, from('192.0.2.2', { Authorization: wrong.authorization }))
  await fetch(`${url}/metrics`, from('192.0.2.3', { Authorization: 'Bearer wrong-token' }))
  const passwords = new URLSearchParams({ old_password: 'a wrong password', new_password: 'five winds' })
  const { authorization: Authorization } = member
  await fetch(`${url}/api/v1/settings`, {
    method: 'PATCH',
    body: passwords,
    ...from('192.0.2.5', { Authorization }),
  })
  // There was no attempt from this address.
  await fetch(`${url}/api/v1/users/me`, from('192.0.2.4'))
  await member.must('GET', '/users/me')
  const { stderr } = await server.kill('SIGTERM')
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const told = lines.filter(({ msg }) => msg === 'log-in failed')
  assert.deepEqual(
    told.map(({ level, address, operation, code }) => [level, address, operation, code]),
    [
      [40, '192.0.2.1', 'fetch-api-key', 'AUTHENTICATION_FAILED'],
      [40, '192.0.2.2', 'get-own-user', 'INVALID_API_KEY'],
      [40, '192.0.2.3', 'get-metrics', 'UNAUTHORIZED'],
      [40, '192.0.2.5', 'update-settings', 'BAD_REQUEST'],
    ],
  )
  assert.ok(!stderr.includes(member.email))
})

test('with the level debug, a poll that waits is logged with its status once it is answered', async (t) => {
  const environment = { PARLEY_LOG_LEVEL: 'debug' }
  const server = await startProcess(t, { dataFolder: await temporaryFolder(t), environment })
  const member = server.as('member')
  const { queue_id, last_event_id } = await member.must('POST', '/register', { event_types: ['typing'] })
  const poll = member.must('GET', '/events', { queue_id, last_event_id })
  const { user_id } = await member.must('GET', '/users/me')
  await server.as('admin').must('POST', '/typing', { type: 'direct', op: 'start', to: [user_id] })
  await poll
  const { stderr } = await server.kill('SIGTERM')
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const told = lines.filter(({ msg, operation }) => msg === 'request answered' && operation === 'get-events')
  assert.deepEqual(
    told.map(({ status }) => status),
    [200],
  )
})

test('U10: a running server writes only lines of JSON to its log, including its fatal error', async (t) => {
  const breaks =
    "process.emitWarning('careful'); console.log('an %s', 'aside'); setTimeout(() => { throw new Error('broken') }, 0)"
  const nodeFlags = ['--import', `data:text/javascript,process.on('SIGUSR2', () => { ${breaks} })`]
  const environment = { PARLEY_LOG_LEVEL: 'info' }
  const server = await startProcess(t, { dataFolder: await temporaryFolder(t), nodeFlags, environment })
  const { code, stderr } = await server.kill('SIGUSR2')
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(code, 1)
  const last = lines.slice(-3)
  assert.deepEqual(
    last.map(({ level, msg, err, said }) => [level, msg, err?.message ?? said]),
    [
      [40, 'a library printed something', 'an aside'],
      [40, 'warning of the runtime', 'careful'],
      [60, 'server failed', 'broken'],
    ],
  )
})

test('a failed statement is logged without its values', () => {
  const logs = `import { createLogger } from '${join(import.meta.dirname, 'logger.ts')}'
    createLogger('error').error({ err: Object.assign(new Error('refused'), { sql: "values ('private')" }) }, 'failed')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', logs], { encoding: 'utf8' })
  assert.match(stderr, /refused/)
  assert.doesNotMatch(stderr, /private/)
})

const FULL = '/dev/full'

test('U10: a server answers and ends normally while the disk of its log is full', {
  skip: !existsSync(FULL) && `there is no ${FULL}`,
}, async (t) => {
  const opens = `import { closeSync, openSync } from 'node:fs'; closeSync(2); openSync('${FULL}', 'w')`
  const nodeFlags = ['--import', `data:text/javascript,${opens}`]
  const environment = { PARLEY_LOG_LEVEL: 'info' }
  const server = await startProcess(t, { dataFolder: await temporaryFolder(t), nodeFlags, environment })
  const { email, userId } = server.as('member')
  const wrong = new ApiClient(server.url, { email, api_key: 'x'.repeat(32), user_id: userId })
  const { status } = await wrong.get('/users/me')
  assert.equal(status, 401)
  await server.as('member').must('GET', '/users/me')
  const { code } = await server.kill('SIGTERM')
  assert.equal(code, 0)
})

test('closed output never ends a command with a stack trace', {
  skip: !existsSync(FULL) && `there is no ${FULL}`,
}, () => {
  const full = openSync(FULL, 'w')
  const printed = (script: string) => {
    const args = [join(import.meta.dirname, '../scripts', script), '--help']
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
    return [status, stderr]
  }
  assert.deepEqual(printed('start.mjs'), [0, ''])
  const sentence = 'What the command says cannot be printed: ENOSPC: no space left on device, write\n'
  assert.deepEqual(printed('admin.mjs'), [1, sentence])
  closeSync(full)
})

test('a command that SQLite fails says that it is the database', async (t) => {
  const dataFolder = await temporaryFolder(t)
  await writeFile(join(dataFolder, 'parley.sqlite'), 'no database '.repeat(100))
  await mkdir(join(dataFolder, 'uploads'))
  const args = [join(import.meta.dirname, '../scripts/admin.mjs'), 'list', '--data', dataFolder]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.deepEqual(
    [status, stderr.split('\n').at(-2)],
    [1, 'A database file cannot be read or written: file is not a database'],
  )
})

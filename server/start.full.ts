import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { API_KEY_LENGTH } from '../domain/limits.ts'
import { FEATURE_LEVEL } from '../domain/versions.ts'
import { runProcess, StartedProcess, startProcess, temporaryFolder, untilParked } from './process-testing.ts'
import { ApiClient } from './testing.ts'

test('refuse a second process on the same data folder, while the first continues', async (t) => {
  const dataFolder = await temporaryFolder(t)
  const readyFile = join(dataFolder, 'ready.json')
  const flags = ['--ready-file', readyFile]
  const first = await startProcess(t, { dataFolder, flags })
  const { code, stdout, stderr } = await runProcess(t, { dataFolder, flags })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, new RegExp(`^The data folder .* is in use by another Parley \\(process ${first.pid}\\).*\\n$`))
  const { status, body } = await first.as('member').get('/users/me')
  assert.deepEqual([status, body.user_id], [200, first.credentials.users.member?.user_id])
  assert.equal(JSON.parse(await readFile(readyFile, 'utf8')).pid, first.pid)
  await first.kill('SIGKILL')
  await runProcess(t, { dataFolder, flags, environment: { DATABASE_URL: 'mysql://root@127.0.0.1:1/parley' } })
  await assert.rejects(stat(readyFile), /ENOENT/)
})

describe('report a wrong setting in one line', () => {
  // config.test.ts tests all other invalid values, because a process costs a second.
  const cases: { name: string; environment?: Record<string, string>; flags?: string[]; says: RegExp }[] = [
    {
      name: 'port that is not a number',
      environment: { PORT: 'abc' },
      says: /^PORT is 'abc': expected a whole number/,
    },
    {
      name: 'address of another machine',
      environment: { HOST: '192.0.2.1' },
      says: /192\.0\.2\.1.* not an address of this/,
    },
    {
      name: 'name of no machine',
      environment: { HOST: 'nowhere.invalid' },
      says: /nowhere\.invalid.* not an address of this/,
    },
    {
      name: 'uploads in a file',
      environment: { PARLEY_UPLOADS: '/dev/null' },
      says: /\/dev\/null/,
    },
    {
      name: 'ready file in no folder',
      flags: ['--ready-file', '/nowhere/ready'],
      says: /^PARLEY_READY_FILE is '\/nowhere\/ready'/,
    },
    { name: 'unknown flag', flags: ['--prot', '9991'], says: /--prot.*--help/ },
    {
      name: 'database server that does not answer',
      environment: { DATABASE_URL: 'mysql://root@127.0.0.1:1/parley' },
      says: /^The database of DATABASE_URL cannot be used: .*127\.0\.0\.1:1/,
    },
    {
      name: 'socket of a database that is not there',
      environment: { DATABASE_URL: 'mysql://root@localhost/parley?socketPath=/nowhere/socket' },
      says: /^The database of DATABASE_URL cannot be used: .*\/nowhere\/socket/,
    },
  ]
  for (const { name, says, ...options } of cases) {
    test(name, async (t) => {
      const ended = await runProcess(t, { dataFolder: await temporaryFolder(t), ...options })
      assertRefused(ended, says)
    })
  }

  test('port in use', async (t) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    const { port } = other.address() as AddressInfo
    const dataFolder = await temporaryFolder(t)
    const ended = await runProcess(t, { dataFolder, environment: { PORT: String(port) } })
    assertRefused(ended, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken`))
    await startProcess(t, { dataFolder }) // what the failed start made is whole
  })

  test('data folder that cannot be created', async (t) => {
    const file = join(await temporaryFolder(t), 'file')
    await writeFile(file, '')
    const dataFolder = join(file, 'data')
    assertRefused(await runProcess(t, { dataFolder }), /^The data folder .*file\/data cannot be made/)
  })

  test('data folder that cannot be written', async (t) => {
    // Root may write everywhere except where the system has no files.
    let dataFolder = '/proc/self'
    if (process.getuid?.() !== 0) {
      dataFolder = join(await temporaryFolder(t), 'read-only')
      await mkdir(dataFolder)
      await chmod(dataFolder, 0o500)
    }
    assertRefused(await runProcess(t, { dataFolder }), new RegExp(`^The data folder ${dataFolder} cannot be written`))
  })

  for (const [name, environment] of [
    ['lost', {}],
    ['changed', { PARLEY_SECRET: 'another secret of more than thirty-two characters' }],
  ] as const) {
    test(`secret that was ${name}`, async (t) => {
      const dataFolder = await temporaryFolder(t)
      await (await startProcess(t, { dataFolder })).kill('SIGTERM')
      await rm(join(dataFolder, 'secret'))
      const ended = await runProcess(t, { dataFolder, environment })
      assertRefused(ended, new RegExp(`PARLEY_SECRET.* ${join(dataFolder, 'secret')}`))
    })
  }

  test('file that is not a database', async (t) => {
    const dataFolder = await temporaryFolder(t)
    const file = join(dataFolder, 'parley.sqlite')
    await writeFile(file, 'not a database '.repeat(100))
    assertRefused(await runProcess(t, { dataFolder }), new RegExp(`^The database file ${file} cannot be used`))
    assert.equal(await readFile(file, 'utf8'), 'not a database '.repeat(100), 'it was changed')
  })

  for (const [name, from, to] of [
    ['in the list of its tables', 100, 4096],
    ['behind its first page', 4096, undefined],
  ] as const) {
    test(`database file that is damaged ${name}`, async (t) => {
      const dataFolder = await temporaryFolder(t)
      await (await startProcess(t, { dataFolder })).kill('SIGTERM')
      const file = join(dataFolder, 'parley.sqlite')
      await writeFile(file, (await readFile(file)).fill(0xff, from, to))
      const says = new RegExp(`^The database file ${file} is damaged \\(database disk image is malformed\\)`)
      assertRefused(await runProcess(t, { dataFolder }), says)
    })
  }

  test('database of a later release', async (t) => {
    const dataFolder = await temporaryFolder(t)
    await (await startProcess(t, { dataFolder })).kill('SIGTERM')
    const database = new Sqlite(join(dataFolder, 'parley.sqlite'))
    database.exec("insert into migration (name, batch, migration_time) values ('9999-later', 9, 0)")
    database.close()
    const says = /^The database was made by a later release of Parley \(it has 9999-later\): start that one$/m
    assertRefused(await runProcess(t, { dataFolder }), says)
  })

  function assertRefused({ code, stdout, stderr }: Awaited<ReturnType<typeof runProcess>>, says: RegExp): void {
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, says)
    assert.match(stderr, /^.*\n$/, 'more than one line')
  }
})

test('answer parked polls and end with 0 on SIGTERM', async (t) => {
  const server = await startProcess(t, { dataFolder: await temporaryFolder(t) })
  const member = server.as('member')
  const { queue_id, last_event_id } = await member.must('POST', '/register', { event_types: ['message'] })
  const poll = member.get('/events', { queue_id, last_event_id })
  await untilParked(server.url, 1)
  const before = performance.now()
  const [{ status, body }, { code }] = await Promise.all([poll, server.kill('SIGTERM')])
  assert.deepEqual([status, body.result, body.events], [200, 'success', []])
  assert.equal(code, 0)
  // Less than the 4 s after which this client lets go of an idle connection by itself.
  assert.ok(performance.now() - before < 3000, 'it waited for connections without a request')
})

test('finish a request in progress, with any number of signals (npm and shells pass on theirs)', async (t) => {
  const server = await startProcess(t, { dataFolder: await temporaryFolder(t) })
  const member = server.as('member')
  const { queue_id, last_event_id } = await member.must('POST', '/register', { event_types: ['message'] })
  const poll = member.get('/events', { queue_id, last_event_id })
  await untilParked(server.url, 1)
  const form = new URLSearchParams({ type: 'channel', to: 'general', topic: 'a', content: 'a' }).toString()
  const headers = {
    Authorization: member.authorization,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': form.length,
    Expect: '100-continue',
  }
  const sending = request(`${server.url}/api/v1/messages`, { method: 'POST', headers })
  sending.flushHeaders()
  await once(sending, 'continue')
  process.kill(server.pid, 'SIGTERM')
  await poll
  process.kill(server.pid, 'SIGTERM')
  process.kill(server.pid, 'SIGINT')
  const answered = once(sending, 'response')
  sending.end(form)
  const [response] = await answered
  assert.equal(response.resume().statusCode, 200)
  assert.equal((await server.ended).code, 0)
})

test('end with 0 on a SIGTERM right after the start', async (t) => {
  const { code } = await (await startProcess(t, { dataFolder: await temporaryFolder(t) })).kill('SIGTERM')
  assert.equal(code, 0)
})

test('write credentials in the documented form, readable by the owner of the folder only', async (t) => {
  const dataFolder = await temporaryFolder(t)
  const server = await startProcess(t, { dataFolder })
  for (const file of ['demo-credentials.json', 'secret']) {
    assert.equal((await stat(join(dataFolder, file))).mode & 0o777, 0o600, file)
  }
  const credentials = JSON.parse(await readFile(join(dataFolder, 'demo-credentials.json'), 'utf8'))
  assert.deepEqual(Object.keys(credentials), ['base_url', 'feature_level', 'password', 'users'])
  assert.deepEqual([credentials.base_url, credentials.feature_level], [server.url, FEATURE_LEVEL])
  const keys = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot']
  assert.deepEqual(Object.keys(credentials.users), keys)
  for (const key of keys) {
    assert.deepEqual(Object.keys(credentials.users[key]), ['email', 'api_key', 'user_id'], key)
    const { email, api_key, user_id } = credentials.users[key]
    assert.match(api_key, new RegExp(`^[A-Za-z0-9]{${API_KEY_LENGTH}}$`))
    const { body } = await server.as(key).get('/users/me')
    assert.deepEqual([body.email, body.user_id, body.is_bot], [email, user_id, key === 'bot'])
    const { status } = await server.as('owner').post('/fetch_api_key', {
      username: email,
      password: credentials.password,
    })
    assert.equal(status === 200, key !== 'bot', `log-in of ${key} with the password answered ${status}`)
  }
})

for (const [what, content] of [
  ['cut', '{ "base_url": "http://127'],
  ['empty', ''],
  ['no credentials', '{ "users": [] }'],
] as const) {
  test(`start with a credentials file that is ${what}: a warning, and the file stays`, async (t) => {
    const dataFolder = await temporaryFolder(t)
    const before = await startProcess(t, { dataFolder })
    await before.kill('SIGTERM')
    const file = join(dataFolder, 'demo-credentials.json')
    await writeFile(file, content)
    const started = new StartedProcess(t, { dataFolder, environment: { PARLEY_LOG_LEVEL: 'warn' } })
    const [, url = ''] = await started.prints(/^Parley answers at (\S+)$/m)
    const login = before.credentials.users.member
    assert.ok(login)
    assert.equal((await new ApiClient(url, login).get('/users/me')).status, 200)
    const { stderr } = await started.kill('SIGTERM')
    assert.match(stderr, /"level":40,.*demo-credentials\.json.*"the credentials file cannot be read"/)
    assert.equal(await readFile(file, 'utf8'), content)
  })
}

test('keep the compile cache for the next start, when killed', async (t) => {
  const [dataFolder, cache] = [await temporaryFolder(t), await temporaryFolder(t)]
  const server = await startProcess(t, { dataFolder, environment: { NODE_COMPILE_CACHE: cache } })
  await server.kill('SIGKILL')
  const modules = (await readdir(cache, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.ok(modules.length > 100, `${modules.length} modules`)
})

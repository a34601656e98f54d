import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../domain/clock.ts'
import { bareApp, served } from './bare-app-testing.ts'
import { onEachDatabase, openDatabase } from './testing.ts'

const OWNER = { id: 1, role: 100 }

onEachDatabase('a statement that fails', (dialect) => {
  test('is named without its values, which are personal', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const { knex } = db.read.session
    await assert.rejects(
      async () => knex('user').where({ email: 'secret@parley.example', no_such_column: 1 }),
      (err: Error) => err.message.includes('no_such_column') && !err.message.includes('secret'),
    )
    await assert.rejects(
      db.transaction(async (tx) => tx.session.knex('user').insert({ email: 'secret@parley.example' })),
      (err: Error) => err.message.includes('insert into') && !err.message.includes('secret'),
    )
  })
})

describe('a fault', () => {
  const REASON = 'select * from user where password = hunter2'

  /** The pipeline over failing reads. */
  function faultyApp(shared: object, changes: { checkAnswers?: boolean } = {}) {
    const services = { clock: systemClock, db: { read: { shared, organization: { seesEverybody: () => true } } } }
    const authenticator = { authenticate: async () => OWNER, present: async () => OWNER }
    return bareApp({ services, authenticator }, changes)
  }

  async function faulty(shared: object, changes: { checkAnswers?: boolean } = {}, path = '/api/v1/users?foo=1') {
    const { app, lines } = await faultyApp(shared, changes)
    const answer = await fetch(`${await served(app)}${path}`)
    return { status: answer.status, headers: answer.headers, text: await answer.text(), lines }
  }

  test('500 in the envelope with the request ID; the reason is in the log only', async () => {
    const failures = [
      { users: async () => Promise.reject(new Error(REASON)) },
      {
        users() {
          throw new TypeError(REASON)
        },
      },
      { users: async () => Promise.reject(REASON) },
    ]
    for (const shared of failures) {
      const { status, headers, text, lines } = await faulty(shared)
      assert.equal(status, 500)
      assert.equal(headers.get('content-type'), 'application/json')
      const id = headers.get('x-request-id')
      const { msg, ...rest } = JSON.parse(text)
      assert.deepEqual(rest, { result: 'error', code: 'INTERNAL_SERVER_ERROR', request_id: id })
      assert.ok(msg.includes(id))
      assert.ok(!text.includes('hunter2') && !text.includes('.ts'))
      assert.equal(lines.length, 1)
      const [line] = lines
      assert.deepEqual([line?.requestId, line?.method, line?.path, line?.level], [id, 'GET', '/api/v1/users', 50])
      assert.ok(JSON.stringify(line?.err).includes(REASON))
    }
  })

  const STORAGE_FAULTS = [
    ...['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'ENOSPC', 'EDQUOT', 'ER_DISK_FULL'],
    // MariaDB that is read_only
    'ER_OPTION_PREVENTS_STATEMENT',
  ]
  test('U10: if the disk is full, read-only or fails, the client is told that nothing can be stored', async () => {
    for (const code of STORAGE_FAULTS) {
      const users = async () => Promise.reject(Object.assign(new Error(REASON), { code }))
      const { status, text, lines } = await faulty({ users })
      const { msg, code: told, request_id } = JSON.parse(text)
      assert.deepEqual([status, told], [500, 'INTERNAL_SERVER_ERROR'])
      assert.equal(
        msg,
        `The server cannot store anything now: its disk or database is full, read-only or fails (request ${request_id})`,
      )
      assert.deepEqual(
        lines.map(({ err }) => (err as { code: string }).code),
        [code],
      )
    }
  })

  test('keys of invitations are not in the log, whatever fails', async () => {
    const { lines } = await faulty({}, {}, '/join/Kf83hTq1LmZ0aWc5RxY7uBnE')
    assert.deepEqual(
      lines.map(({ path }) => path),
      ['/join/…'],
    )
    assert.ok(!JSON.stringify(lines).includes('Kf83hTq1'))
  })

  test('a client that left is no fault: only other reasons for an unsent answer are errors', async () => {
    const { app, lines } = await faultyApp({})
    for (const code of ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']) {
      app.emit('error', Object.assign(new Error(code), { code }))
    }
    app.emit('error', new Error('ENOSPC'))
    assert.deepEqual(
      lines.map((line) => [line.level, line.msg, (line.err as Error).message]),
      [[50, 'answer not sent', 'ENOSPC']],
    )
  })

  test('an answer that is not in the contract: 500 with PARLEY_CHECK_ANSWERS, and the log says where', async () => {
    const shared = { users: async () => [{ id: 'seven', email: 'x@y', role: 100, avatarVersion: 1, dateJoined: 0 }] }
    const { status, lines } = await faulty(shared, { checkAnswers: true })
    assert.equal(status, 500)
    assert.match(JSON.stringify(lines), /get-users 200: \/members\/0/)
    assert.equal((await faulty(shared)).status, 200)
  })
})

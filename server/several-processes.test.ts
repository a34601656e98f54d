import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Database } from '../db/database.ts'
import { systemClock } from '../domain/clock.ts'
import {
  fileCleanup,
  folderBeside,
  runProcess,
  type ServerProcess,
  startProcess,
  temporaryFolder,
  untilParked,
} from './process-testing.ts'
import { type Answer, emptyDatabase, onBothDatabases } from './testing.ts'

const SECRET = 'what all processes of the test know, in 32 characters or more'

onBothDatabases('several processes on one database', (dialect) => {
  if (dialect === 'sqlite') return // a file is one process's own

  const t = fileCleanup()
  const begun = begin()

  /** Two processes, and the settings for a third one. */
  async function begin() {
    const { location, remove } = await emptyDatabase(dialect)
    t.after(remove)
    const [uploads, first] = [await temporaryFolder(t), await temporaryFolder(t)]
    const DATABASE_URL = location.kind === 'mariadb' ? location.url : ''
    const environment = { DATABASE_URL, PARLEY_SECRET: SECRET, PARLEY_UPLOADS: uploads, PARLEY_CHECK_ANSWERS: 'on' }
    const one = await startProcess(t, { dataFolder: first, environment })
    const another = async (more: Readonly<Record<string, string>> = {}) => ({
      dataFolder: await folderBeside(t, first),
      environment: { ...environment, ...more },
    })
    return { one, other: await startProcess(t, await another()), another, location }
  }

  /** Polls the queue of an account at any process. */
  function poll(server: ServerProcess, queue: Answer['body'], last: number): Promise<Answer> {
    return server.as('member').get('/events', { queue_id: queue.queue_id, last_event_id: last })
  }

  const send = (server: ServerProcess, content: string): Promise<Answer> =>
    server.as('owner').post('/messages', { type: 'stream', to: 'general', topic: 'everywhere', content })

  test('see at once what was done at the other', async () => {
    const { one, other } = await begun
    const { body: listed } = await one.as('owner').get('/user_groups')
    for (const [here, there, role, status] of [
      [one, other, 'role:administrators', 400],
      [other, one, 'role:members', 200],
    ] as const) {
      const { id } = listed.user_groups.find(({ name }: { name: string }) => name === role)
      await here.as('owner').must('PATCH', '/realm', { can_create_groups: JSON.stringify({ new: id }) })
      const made = await there
        .as('member2')
        .post('/user_groups/create', { name: role.slice(5), description: '', members: '[]' })
      assert.equal(made.status, status, made.body.msg)
    }
    const { body: sent } = await send(one, 'from one')
    const { body: seen } = await other.as('member').get(`/messages/${sent.id}`)
    assert.equal(seen.message?.id, sent.id)
    const { body: uploaded } = await other.as('member').upload('notes.txt', 'to be read anywhere')
    const file = await one.as('member').fetch(uploaded.url)
    assert.equal(await file.text(), 'to be read anywhere')
    const { body: renewed } = await other.as('member2').post('/users/me/api_key/regenerate')
    assert.equal(typeof renewed.api_key, 'string')
    assert.equal((await one.as('member2').get('/users/me')).body.code, 'INVALID_API_KEY')
  })

  test('deliver each event once, at whichever process a client polls', async () => {
    const { one, other } = await begun
    const { body: queue } = await one.as('member').post('/register', { event_types: '["message"]' })
    let last = queue.last_event_id
    const contents: string[] = []
    for (const [polled, sender] of [
      [one, other],
      [other, one],
      [one, one],
      [other, other],
    ] as const) {
      const waiting = poll(polled, queue, last)
      await untilParked(polled.url, 1)
      const content = `message ${contents.length}`
      await send(sender, content)
      const { events } = (await waiting).body
      contents.push(...events.map(({ message }: { message: { content: string } }) => message.content))
      last = events.at(-1).id
    }
    assert.deepEqual(contents, ['message 0', 'message 1', 'message 2', 'message 3'])
    assert.equal((await other.as('member').delete('/events', { queue_id: queue.queue_id })).status, 200)
    assert.equal((await poll(one, queue, last)).body.code, 'BAD_EVENT_QUEUE_ID')
  })

  test('a killed process is replaced by any other, and nothing acknowledged is lost', async () => {
    const { one, another } = await begun
    const dying = await startProcess(t, await another())
    const { body: queue } = await dying.as('member').post('/register', { event_types: '["message"]' })
    const waiting = poll(dying, queue, queue.last_event_id).catch(() => undefined)
    await untilParked(dying.url, 1)
    const sent = Array.from({ length: 40 }, (_, index) =>
      send(dying, `number ${index}`).then(
        ({ body }) => body.id as number,
        () => undefined,
      ),
    )
    await waiting
    await dying.kill('SIGKILL')
    const acknowledged = (await Promise.all(sent)).filter((id) => id !== undefined)
    const ids: number[] = []
    for (let last = queue.last_event_id; acknowledged.some((id) => !ids.includes(id)); ) {
      const { events } = (await poll(one, queue, last)).body
      ids.push(...events.map(({ message }: { message?: { id: number } }) => message?.id))
      last = events.at(-1).id
    }
    assert.equal(new Set(ids).size, ids.length)
  })

  test('a process that was paused until the log was trimmed ends, and says why', async () => {
    const { one, other, another, location } = await begun
    const paused = await startProcess(t, await another())
    process.kill(paused.pid, 'SIGSTOP')
    const db = await Database.open(location, systemClock)
    await db.transaction(async (tx) => {
      for (let count = 0; count < 2; count += 1) tx.events.append({ type: 'tick' }, { to: 'nobody' })
    })
    const { eventId } = await db.read.events.head()
    // These have read it.
    for (const running of [one, other]) await running.as('member').must('GET', '/users/me')
    await db.transaction(async (tx) => tx.session.run('delete from event where id = ?', [eventId - 1]))
    await db.close()
    const { code, stderr } = await paused.kill('SIGCONT')
    assert.equal(code, 1)
    assert.match(stderr, /the event log was read up to \d+, and goes on at \d+: this process was paused for too long/)
  })

  test('a process with other secrets or files does not start', async () => {
    const { another } = await begun
    const uploadsOfOther = await temporaryFolder(t)
    await mkdir(join(uploadsOfOther, 'uploads'))
    await writeFile(join(uploadsOfOther, 'organization'), randomUUID())
    for (const [more, says] of [
      [{ PARLEY_SECRET: `${SECRET}!` }, /^The database was made with another secret/],
      [
        { PARLEY_UPLOADS: await temporaryFolder(t) },
        /^The uploads of this organization are not in .*: set PARLEY_UPLOADS/,
      ],
      [{ PARLEY_UPLOADS: uploadsOfOther }, / has the uploads of another organization: set PARLEY_UPLOADS/],
    ] as const) {
      const { code, stderr } = await runProcess(t, await another(more))
      assert.equal(code, 1)
      assert.match(stderr, says)
    }
  })
})

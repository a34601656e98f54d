import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Database } from '../db/database.ts'
import type { ExportedMessage } from '../db/repositories/exported-rows.ts'
import { MAX_EXPORT_ATTEMPTS } from '../domain/limits.ts'
import { packed } from '../exports/pack.ts'
import { onEachDatabase, ownParley, type TestServer } from '../server/testing.ts'

const path = '/export/realm'
/** Each has half a mebibyte. */
const LONG_ROWS = 12

/** Waits until the export `id` is no longer pending. */
async function settled(server: TestServer, id: number) {
  const admin = server.as('admin')
  const { queue_id } = await admin.must('POST', '/register', { event_types: ['realm_export'], fetch_event_types: [] })
  for (let last_event_id = -1; ; ) {
    const one = (await admin.must('GET', path)).exports.find((entry: { id: number }) => entry.id === id)
    if (!one.pending) return one
    const { events } = await admin.must('GET', '/events', { queue_id, last_event_id })
    last_event_id = events.at(-1).id
  }
}

onEachDatabase('data exports', (dialect) => {
  test('unfinished exports of a killed process are repeated or fail, also of people who have left, without blocking others (G1)', async (t) => {
    const server = await ownParley(t, dialect)
    const [admin, gone] = [server.as('admin'), await server.newUser()]
    await server.as('owner').must('DELETE', `/users/${gone.userId}`)
    const begun = { export_type: 'public', acting_user_id: admin.userId, requested_ms: 1000, attempts: 1 }
    const tooOften = { ...begun, attempts: MAX_EXPORT_ATTEMPTS }
    const ofGone = { acting_user_id: gone.userId }
    const now = Math.floor(Date.now() / 1000)
    // No backup has archives.
    const restored = { requested_ms: now * 1000, finished_at: now, file_key: '0'.repeat(32), size: 100 }
    await server.inDatabase(async ({ knex }) => {
      const rows = [tooOften, { ...tooOften, ...ofGone }, begun, { ...begun, ...ofGone }, { ...begun, ...restored }]
      for (const [index, row] of rows.entries()) await knex('data_export').insert({ ...row, id: index + 3 })
    })
    // Another export triggers the job.
    const { id } = await admin.must('POST', path)
    const ended = await Promise.all([3, 4, 5, 6, 7, id].map((one) => settled(server, one)))
    const [failed, made, deleted] = [['failed_timestamp'], ['export_url'], ['deleted_timestamp']]
    assert.deepEqual(
      ended.map((one) => ['export_url', 'failed_timestamp', 'deleted_timestamp'].filter((name) => one[name] !== null)),
      [failed, failed, made, made, deleted, made],
    )
    for (const { export_url: url } of ended) if (url !== null) assert.equal((await fetch(url)).status, 200)
    assert.deepEqual(readdirSync(join(server.dataFolder, 'exports', 'unfinished')), [])
    assert.match((await admin.delete(`${path}/3`)).body.msg, /^The export failed/)
    const told = (await admin.newest([['is', 'dm']])).slice(-3).map(({ content }) => content.split(' ').at(-1))
    assert.deepEqual(told.toSorted(), ['failed.', 'ready.', 'ready.'])
  })

  test('G1: an archive that cannot be made fails after a few attempts, without blocking others', async (t) => {
    const server = await ownParley(t, dialect)
    const { ExportedRowReader } = await import('../db/repositories/exported-rows.ts')
    let tries = 0
    const { mock } = t.mock.method(ExportedRowReader.prototype, 'messages', async () => {
      tries += 1
      throw new Error('a page that cannot be read')
    })
    const admin = server.as('admin')
    const { id } = await admin.must('POST', path)
    const failed = await settled(server, id)
    assert.deepEqual([failed.export_url, typeof failed.failed_timestamp], [null, 'number'])
    assert.equal(tries, MAX_EXPORT_ATTEMPTS)
    mock.restore()
    const next = await settled(server, (await admin.must('POST', path)).id)
    assert.equal((await fetch(next.export_url)).status, 200)
    assert.deepEqual(readdirSync(join(server.dataFolder, 'exports', 'unfinished')), [])
  })

  /**
   * Makes an export, and runs `happens` after the export first reads messages. Returns the archive and the number of
   * reads.
   */
  async function archiveDuring(
    t: TestContext,
    server: TestServer,
    wanted: Readonly<Record<string, unknown>>,
    happens: () => Promise<unknown>,
  ): Promise<{ readonly archive: string; readonly looks: number }> {
    const { ExportedRowReader } = await import('../db/repositories/exported-rows.ts')
    const messages = ExportedRowReader.prototype.messages
    let looks = 0
    t.mock.method(
      ExportedRowReader.prototype,
      'messages',
      async function (
        this: Database['read']['exportedRows'],
        ...span: Parameters<typeof messages>
      ): Promise<ExportedMessage[]> {
        looks += 1
        const page = await messages.apply(this, span)
        if (looks === 1) await happens()
        return page
      },
    )
    const { id } = await server.as('admin').must('POST', path, wanted)
    const { export_url } = await settled(server, id)
    return { archive: gunzipSync(await (await fetch(export_url)).bytes()).toString(), looks }
  }

  test('SEC-MEM-8, G2: long data is read a mebibyte at a time, completely', async (t) => {
    const server = await ownParley(t, dialect)
    const [admin, owner] = [server.as('admin'), server.as('owner')]
    await owner.must('PATCH', '/settings', { allow_private_data_export: true })
    const ids: number[] = []
    for (let index = 0; index < LONG_ROWS; index += 1) ids.push(await owner.send([owner]))
    const long = 'y'.repeat(512 * 1024)
    await server.inDatabase(async ({ knex }) => {
      const [kept, edit] = [{ user_id: owner.userId }, { user_id: owner.userId, timestamp: 1, prev_content: long }]
      await knex('message').update({ edit_history: JSON.stringify([edit]) })
      for (let index = 0; index < LONG_ROWS; index += 1) {
        await knex('saved_snippet').insert({ ...kept, title: `${index}`, content: long, created_at: 1 })
        await knex('bot_storage').insert({ bot_id: owner.userId, storage_key: `${index}`, value: long })
        const topic = { topic_name: `${index}`, topic_key: `${index}`, visibility_policy: 1, last_updated: 1 }
        await knex('user_topic').insert({ ...kept, channel_id: 1, ...topic })
      }
    })
    const { ExportedRowReader } = await import('../db/repositories/exported-rows.ts')
    let largest = 0
    const seen = <Page extends readonly object[]>(page: Page): Page => {
      largest = Math.max(largest, JSON.stringify(page).length)
      return page
    }
    const { messages, rowsOf } = ExportedRowReader.prototype
    t.mock.method(ExportedRowReader.prototype, 'messages', async function (this: object, ...span: [number, number]) {
      return seen(await messages.apply(this as never, span))
    })
    t.mock.method(ExportedRowReader.prototype, 'rowsOf', async function* (this: object, ...of: never) {
      for await (const page of rowsOf.apply(this as never, of)) yield seen(page)
    })
    const { id } = await admin.must('POST', path, { export_type: 'full_with_consent' })
    const { export_url } = await settled(server, id)
    const archive = gunzipSync(await (await fetch(export_url)).bytes()).toString()
    assert.ok(largest > 0 && largest < 4 * 512 * 1024, `${largest} bytes were read together`)
    for (const one of ids) assert.ok(archive.includes(`{"id":${one},"sender_id"`), `message ${one}`)
    for (let index = 0; index < LONG_ROWS; index += 1) {
      for (const text of [`"title":"${index}"`, `"storage_key":"${index}"`, `"topic_name":"${index}"`]) {
        assert.equal(archive.split(text).length, 2, text)
      }
    }
  })

  test('consent that is withdrawn during the export counts (DIFF-EXPORT-CONSENT)', async (t) => {
    const server = await ownParley(t, dialect)
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const content = 'a word that is theirs'
    await user.must('POST', '/messages', { type: 'direct', to: [user.userId], content })
    for (const one of [owner, user]) await one.must('PATCH', '/settings', { allow_private_data_export: true })
    const wanted = { export_type: 'full_with_consent' }
    const { archive, looks } = await archiveDuring(t, server, wanted, () =>
      user.must('PATCH', '/settings', { allow_private_data_export: false }),
    )
    assert.ok(looks > 1 && !archive.includes(content))
  })

  test('G14: access that is closed during the export counts (DIFF-EXPORT-CONSENT)', async (t) => {
    const server = await ownParley(t, dialect)
    const owner = server.as('owner')
    const [closed, open] = [server.unique('Closed'), server.unique('Open')]
    const ids: Record<string, number> = {}
    for (const name of [closed, open]) {
      ids[name] = (await owner.must('POST', '/channels/create', { name, subscribers: [owner.userId] })).id
      await owner.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content: `said in ${name}` })
    }
    const { archive, looks } = await archiveDuring(t, server, {}, () =>
      owner.must('PATCH', `/streams/${ids[closed]}`, { is_private: true }),
    )
    assert.deepEqual([archive.includes(closed), archive.includes(`said in ${open}`)], [false, true])
    assert.ok(looks > 1)
  })
})

test('an archive is made while it is read, and not ahead', async () => {
  let made = 0
  const entries = async function* () {
    for (; made < 200; made += 1) {
      const content = Buffer.alloc(1024 * 1024, made)
      yield { name: `${made}`, size: content.length, content: [content] }
    }
  }
  const archive = packed(entries(), 0, new AbortController().signal)
  await new Promise((resolve) => archive.once('readable', resolve))
  for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(made < 60, `${made} MiB were made`)
  assert.ok((await buffer(archive)).length > 0)
  assert.equal(made, 200)
})

test('an unfinished archive fails its stream with the reason', async () => {
  const stop = new AbortController()
  const entries = async function* () {
    yield { name: 'first', size: 1, content: [Buffer.from('x')] }
    stop.abort(new Error('the server stops'))
    yield { name: 'second', size: 1, content: [Buffer.from('x')] }
  }
  await assert.rejects(buffer(packed(entries(), 0, stop.signal)), /the server stops/)
})

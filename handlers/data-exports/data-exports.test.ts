import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import {
  type Answer,
  type ApiClient,
  onEachDatabase,
  ownParley,
  sharedParley,
  type TestServer,
} from '../../server/testing.ts'

const path = '/export/realm'

/** The files of an archive as text, by name. */
async function archiveAt(url: string): Promise<ReadonlyMap<string, string>> {
  const answer = await fetch(url)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/gzip'])
  const entries = await unpackTar(gunzipSync(await answer.bytes()))
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()]))
}

/** The lines of all files in a folder of an archive. */
function linesOf(files: ReadonlyMap<string, string>, folder: string): Answer['body'][] {
  const parts = [...files].filter(([name]) => name.startsWith(`${folder}/`)).toSorted()
  return parts.flatMap(([, text]) => text.split('\n').filter((line) => line !== '')).map((line) => JSON.parse(line))
}

/** Starts an export, and waits for the event after which it is no longer pending. */
async function exported(admin: ApiClient, export_type?: string): Promise<Answer['body']> {
  const events = await admin.listen(['realm_export'])
  const { id } = await admin.must('POST', path, { ...(export_type && { export_type }) })
  const ended = (all: Answer['body'][]) =>
    all.flatMap(({ exports }) => exports).find((one) => one.id === id && !one.pending)
  return ended(await events.until((all) => ended(all) !== undefined))
}

const consent = (user: ApiClient, allow_private_data_export: boolean) =>
  user.must('PATCH', '/settings', { allow_private_data_export })

/** Creates messages of every kind, each with a unique text, and a file. */
async function furnished(server: TestServer) {
  const [agrees, refuses, late] = [await server.newUser(), await server.newUser(), await server.newUser()]
  const word = (kind: string) => `${kind}${server.unique('w').replace(' ', 'x')}x`
  const send = async (by: ApiClient, to: object, kind: string) => {
    const content = word(kind)
    await by.must('POST', '/messages', { ...to, content })
    return content
  }
  const channel = async (people: readonly ApiClient[], more: object = {}) =>
    (await server.newChannel(people, { ...more })).name
  const closed = { invite_only: true, history_public_to_subscribers: false }
  const [open, hidden, shared, protectedOne] = [
    await channel([refuses]),
    await channel([refuses, late], { invite_only: true }),
    await channel([refuses, agrees], { invite_only: true }),
    await channel([refuses], closed),
  ]
  const inChannel = (to: string) => ({ type: 'channel', to, topic: 'export' })
  const { url } = (await refuses.upload('file.txt', 'bytes of a file')).body
  const texts = {
    inPublic: await send(refuses, inChannel(open), `[file](${url}) `),
    inHidden: await send(refuses, inChannel(hidden), 'hidden'),
    inShared: await send(refuses, inChannel(shared), 'shared'),
    before: await send(refuses, inChannel(protectedOne), 'before'),
    direct: await send(refuses, { type: 'direct', to: [late.userId] }, 'direct'),
    ofAgreed: await send(refuses, { type: 'direct', to: [agrees.userId] }, 'agreed'),
  }
  await refuses.must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: protectedOne }],
    principals: [agrees.userId],
  })
  const after = await send(refuses, inChannel(protectedOne), 'after')
  const { url: own } = (await late.upload('own.txt', 'nobody refers to it')).body
  await agrees.must('POST', '/saved_snippets', { title: 'Mine', content: word('snippet') })
  return { agrees, refuses, late, texts: { ...texts, after }, url, own, hidden, shared }
}

onEachDatabase('exports of the organization', (dialect) => {
  const parley = sharedParley(dialect, { ownerFullContentAccess: true })

  test('contain public data, data that consenting people may read, or everything (EXPORT-2 to 5)', async () => {
    const server = await parley()
    const [owner, admin] = [server.as('owner'), server.as('admin')]
    const { agrees, texts, url, own, hidden, shared } = await furnished(server)
    await consent(agrees, true)
    await consent(owner, true)
    const hasOnly = (files: ReadonlyMap<string, string>, wanted: readonly string[]) => {
      const all = linesOf(files, 'messages').map(({ content }) => content)
      const found = Object.entries(texts).filter(([, text]) => all.includes(text))
      assert.deepEqual(found.map(([name]) => name).toSorted(), wanted.toSorted())
    }
    const files = await archiveAt((await exported(admin)).export_url)
    hasOnly(files, ['inPublic'])
    assert.ok(![...files.keys()].some((file) => file.includes('own.txt')))
    assert.equal(files.get(`uploads/${url.replace('/user_uploads/', '')}`), 'bytes of a file')
    const channelNames = linesOf(files, 'channels').map(({ name }) => name)
    assert.ok(!channelNames.includes(hidden) && !channelNames.includes(shared))
    assert.ok(![...files.keys()].some((name) => name.startsWith('private/') && files.get(name) !== ''))
    const whole = [...files.values()].join()
    for (const name of ['inHidden', 'inShared', 'before', 'after', 'direct', 'ofAgreed'] as const) {
      assert.ok(!whole.includes(texts[name]), name)
    }

    const agreed = await archiveAt((await exported(admin, 'full_with_consent')).export_url)
    hasOnly(agreed, ['inPublic', 'inShared', 'after', 'ofAgreed'])
    assert.ok(linesOf(agreed, 'channels').some(({ name }) => name === shared))
    assert.ok(!linesOf(agreed, 'channels').some(({ name }) => name === hidden))
    const kept = linesOf(agreed, 'private/settings').map(({ user_id: id }) => id)
    assert.deepEqual(kept, [owner.userId, server.as('bot').userId, agrees.userId], 'the bot belongs to the owner')
    assert.equal(linesOf(agreed, 'private/saved_snippets')[0]?.title, 'Mine')

    const full = await archiveAt((await exported(admin, 'full_without_consent')).export_url)
    hasOnly(full, Object.keys(texts))
    assert.equal(full.get(`uploads/${own.replace('/user_uploads/', '')}`), 'nobody refers to it')
    const { users } = server.credentials
    for (const text of full.values()) {
      for (const { api_key: key } of Object.values(users)) assert.ok(!text.includes(key), 'no secret is inside')
      assert.doesNotMatch(text, /scrypt\$/)
    }
    await consent(agrees, false)
    const less = await archiveAt((await exported(admin, 'full_with_consent')).export_url)
    hasOnly(less, ['inPublic'])
  })

  test('G5: contain only those states of a moved message that it had in its present channel', async () => {
    const server = await parley()
    const writer = await server.newUser()
    const { name: hidden } = await server.newChannel([writer], { invite_only: true })
    const { id: stream_id } = await server.newChannel([writer])
    const sent = { type: 'channel', to: hidden, topic: 'takeover', content: 'one' }
    const { id } = await writer.must('POST', '/messages', sent)
    const change = (values: Record<string, unknown>) => writer.must('PATCH', `/messages/${id}`, values)
    await change({ content: 'two' })
    await change({ stream_id, topic: 'news', propagate_mode: 'change_all', send_notification_to_new_thread: false })
    await change({ content: 'three' })
    const files = await archiveAt((await exported(server.as('admin'))).export_url)
    const { edit_history } = linesOf(files, 'messages').find((message) => message.id === id)
    const [edited, arrived, ...more] = edit_history
    assert.deepEqual([edited.prev_content, arrived.stream, arrived.topic, more], ['two', stream_id, 'news', []])
    assert.deepEqual([arrived.prev_stream, arrived.prev_topic], [undefined, undefined])
  })

  test('are announced to the requester by message, and are deleted once', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const wanted = { event_types: ['realm_export', 'message'], fetch_event_types: [] }
    const { queue_id } = await admin.must('POST', '/register', wanted)
    const { id } = await exported(admin)
    const { events } = await admin.must('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['realm_export', 'message', 'realm_export'],
    )
    assert.match(events[1].message.sender_email, /^notification-bot@/)
    await server.as('owner').must('DELETE', `${path}/${id}`)
    assert.equal((await admin.delete(`${path}/${id}`)).body.msg, 'Export already deleted')
  })

  test('are found only by the whole address of their archives', async () => {
    const server = await parley()
    const { export_url } = await exported(server.as('admin'))
    const other = export_url.replace(/[0-9a-f]{32}/, '0'.repeat(32))
    for (const wrong of [other, export_url.replace('.tar.gz', '.tar'), export_url.replace('export-', 'exporT-')]) {
      assert.equal((await fetch(wrong)).status, 404)
    }
    const part = await fetch(export_url, { headers: { Range: 'bytes=0-1' } })
    assert.deepEqual([part.status, Buffer.from(await part.bytes()).toString('hex')], [206, '1f8b'])
  })

  test('ask people, not bots, for consent, and an unchanged consent is not announced', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    const heard = await admin.listen(['realm_export_consent'])
    for (const _ of [1, 2]) await consent(user, true)
    assert.equal((await heard()).length, 1)
    const { export_consents: all } = await admin.must('GET', `${path}/consents`)
    const of = (id: number) => all.find(({ user_id }: { user_id: number }) => user_id === id)
    assert.equal(of(user.userId).email_address_visibility, 1)
    assert.equal(of(server.as('bot').userId), undefined)
  })

  test('have no private data unless an owner consents', async (t) => {
    const server = await ownParley(t, dialect)
    await consent(server.as('admin'), true)
    const { body: refused } = await server.as('admin').post(path, { export_type: 'full_with_consent' })
    assert.match(refused.msg, /^At least one owner must agree/)
    assert.deepEqual((await server.as('admin').must('GET', path)).exports, [])
  })

  test('are limited to five in seven days (EXPORT-11), and to organizations that are not too large (EXPORT-9, 10)', async (t) => {
    const server = await ownParley(t, dialect, { rateLimits: true })
    const admin = server.as('admin')
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(path)))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.deepEqual(
      refused.map(({ body }) => [body.code, body.msg]),
      Array(3).fill(['BAD_REQUEST', 'Exceeded rate limit.']),
    )
    await server.inDatabase(({ knex }) => knex('data_export').where({ id: 1 }).update({ requested_ms: 1000 }))
    await admin.must('POST', path)
    await server.inDatabase(({ knex }) => knex('organization').update({ upload_space_used: 11 * 1024 ** 3 }))
    const { body } = await admin.post(path)
    assert.deepEqual(
      [body.code, body.msg],
      ['BAD_REQUEST', 'Please request a manual export from postmaster@127.0.0.1.'],
    )
  })

  test('expire after seven days, with the address of their archive (DIFF-EXPORT)', async (t) => {
    const server = await ownParley(t, dialect)
    const admin = server.as('admin')
    const { id, export_url } = await exported(admin)
    const { queue_id } = await admin.must('POST', '/register', { event_types: ['realm_export'] })
    await server.inDatabase(({ knex }) => knex('data_export').where({ id }).update({ finished_at: 1000 }))
    const later = await exported(admin)
    assert.ok(later.id > id)
    const { events } = await admin.must('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
    const last = events.at(-1).exports.find((one: { id: number }) => one.id === id)
    assert.deepEqual([last.export_url, typeof last.deleted_timestamp], [null, 'number'])
    assert.equal((await fetch(export_url)).status, 404)
    const kept = readdirSync(join(server.dataFolder, 'exports', 'files'), { recursive: true }).map(String)
    assert.ok(!kept.some((name) => export_url.includes(name.slice(3)) && name.length > 3), 'its bytes are gone')
    assert.ok(existsSync(join(server.dataFolder, 'exports')))
  })
})

import assert from 'node:assert/strict'
import { copyFile, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { pictureOf } from '../../conformance/acts/custom-emoji.ts'
import { perform } from '../admin.ts'
import { Ground } from '../ground-testing.ts'
import { type ApiClient, onEachDatabase } from '../testing.ts'
import { copyFiles } from './backup-folder.ts'

interface Sent {
  readonly id: number
  readonly content: string
}

/** Sends, uploads and deletes until `stopped` returns true. */
async function writeUntil(stopped: () => boolean, user: ApiClient, name: string): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let count = 1; !stopped(); count += 1) {
    const { url } = await user.upload(`${name}-${count}.txt`, `${name} ${count}`).then(({ body }) => body)
    const content = `${name} ${count} [file](${url})`
    const { id } = await user.must('POST', '/messages', { type: 'channel', to: 'general', topic: name, content })
    sent.push({ id, content })
    if (count % 3 > 0) continue
    const { attachments } = await user.must('GET', '/attachments')
    await user.must('DELETE', `/attachments/${attachments[0].id}`)
  }
  return sent
}

const everything = { anchor: 'oldest', num_before: 0, num_after: 5000, apply_markdown: false }

/** Everything that a user sees: the state, all messages, and the contents of their files. */
async function seenBy(user: ApiClient) {
  const { messages } = await user.must('GET', '/messages', everything)
  const { attachments } = await user.must('GET', '/attachments')
  const files: string[] = []
  for (const { path_id } of attachments) {
    const response = await user.fetch(`/user_uploads/${path_id}`)
    files.push(`${response.status} ${await response.text()}`)
  }
  return { messages: messages as Sent[], attachments: attachments as { name: string }[], files }
}

/**
 * The data that a starting client gets and nobody changes meanwhile: people, owners of keys, groups, channels,
 * settings.
 */
async function keptBy(user: ApiClient): Promise<unknown> {
  const fetch_event_types = [
    ...['realm', 'realm_user', 'realm_bot', 'user_group', 'subscription', 'stream', 'default_streams', 'user_settings'],
    ...['realm_emoji', 'custom_profile_fields', 'realm_user_settings_defaults', 'alert_words', 'muted_users', 'drafts'],
  ]
  const {
    queue_id: _,
    last_event_id: __,
    ...state
  } = await user.must('POST', '/register', { event_types: [], fetch_event_types, include_subscribers: true })
  return JSON.parse(JSON.stringify(state).replaceAll(/127\.0\.0\.1:\d+/g, 'host'))
}

async function addedPicture(owner: ApiClient): Promise<{ url: string; bytes: Buffer }> {
  const body = new FormData()
  body.append('file', new File([pictureOf(1)], 'a.gif'))
  await owner.request('POST', '/realm/emoji/kept', {}, { body })
  const { emoji } = await owner.must('GET', '/realm/emoji')
  const url: string = emoji[1].source_url
  return { url, bytes: await bytesAt(owner, url) }
}

async function bytesAt(by: ApiClient, url: string): Promise<Buffer> {
  const answer = await by.fetch(url)
  assert.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}

const writeAheadLogOf = ({ environment }: Ground) => `${environment.DATABASE_URL.replace('sqlite:', '')}-wal`

describe('backup and restore', () => {
  test('a backup under load restores to one position of the log, with everything acknowledged before', async (t) => {
    const ground = await Ground.make(t, 'sqlite')
    const { as, parley } = await ground.start()
    const writers = ['admin', 'member', 'member2'] as const
    let isOver = false
    const work = writers.map((key) => writeUntil(() => isOver, as(key), key))
    const note = async (content: string): Promise<number> => {
      const to = [as('owner').userId]
      return (await as('owner').must('POST', '/messages', { type: 'direct', to, content })).id
    }
    const folder = join(ground.dataFolder, 'backup')
    await mkdir(folder, { mode: 0o755 })
    let printed: readonly string[]
    let kept: readonly unknown[]
    let picture: { url: string; bytes: Buffer }
    let last: number
    let queue: { queue_id: string; last_event_id: number }
    let after: number
    try {
      await as('owner').must('PATCH', '/realm', { name: 'Before' })
      queue = await as('owner').must('POST', '/register', { event_types: ['realm'], fetch_event_types: [] })
      picture = await addedPicture(as('owner'))
      await as('member').must('POST', '/users/me/alert_words', { alert_words: ['harbour'] })
      await as('member').must('PATCH', '/settings', { color_scheme: 2 })
      kept = await Promise.all([keptBy(as('owner')), keptBy(as('member'))])
      last = await note('before')
      printed = await ground.run('backup', folder)
      after = await note('after')
      // As a killed server leaves it.
      await copyFile(writeAheadLogOf(ground), join(ground.dataFolder, 'left'))
    } finally {
      isOver = true
    }
    const sent = (await Promise.all(work)).flat()
    await parley.stop()

    const restored = await Ground.make(t, 'sqlite', {}, true)
    await copyFile(join(ground.dataFolder, 'left'), writeAheadLogOf(restored))
    for (const name of await readdir(folder)) {
      assert.ok(((await stat(join(folder, name))).mode & 0o077) === 0, `${name} is closed to others`)
    }
    await restored.run('restore', folder)
    const { url } = await restored.start()
    // The keys are the old ones.
    const login = (key: string) => as(key).at(url)
    const position = Number(/event (\d+)/.exec(printed[0] ?? '')?.[1])
    const { last_event_id, realm_name } = await login('owner').must('POST', '/register', { event_types: ['realm'] })
    assert.equal(realm_name, 'Before')
    assert.deepEqual(await Promise.all([keptBy(login('owner')), keptBy(login('member'))]), kept)
    assert.ok(last_event_id >= position)
    assert.deepEqual(await bytesAt(login('owner'), picture.url), picture.bytes)
    // Clients with event queues may know events that are lost now, so they must register again.
    const { queue_id, last_event_id: acknowledged } = queue
    const polled = await login('owner').get('/events', { queue_id, last_event_id: acknowledged, dont_block: true })
    assert.equal(polled.body.code, 'BAD_EVENT_QUEUE_ID')
    const views = await Promise.all(['owner', ...writers].map((key) => seenBy(login(key))))
    const present = new Map(views.flatMap(({ messages }) => messages.map((message) => [message.id, message])))
    const newest = Math.max(...present.keys())
    assert.ok(present.has(last) && newest < after)
    // The backup is of one position in the log, so no message before the newest one is missing, no matter who sent it.
    for (const { id, content } of sent) {
      const [beginning = ''] = content.split(' [')
      assert.equal(present.get(id)?.content.startsWith(beginning), id <= newest ? true : undefined, `message ${id}`)
    }
    for (const { attachments, files } of views) {
      const named = attachments.map(({ name }) => `200 ${name.replace('.txt', '').replace('-', ' ')}`)
      assert.deepEqual(files, named)
    }
    const count = views.reduce((sum, { files }) => sum + files.length, 0)
    assert.deepEqual(await restored.run('check-database'), [`The database is whole, and so are its ${count} files`])
  })

  test('restore refuses to overwrite data, and invalid backups', async (t) => {
    const ground = await Ground.make(t, 'sqlite')
    const { parley, as } = await ground.start()
    await as('member').upload('a.txt', 'a')
    const folder = join(ground.dataFolder, 'backup')
    await ground.run('backup', folder)
    await assert.rejects(ground.run('backup', folder), /is not empty/)
    await assert.rejects(ground.run('restore', folder), /The server of .* runs: stop it first/)
    await parley.stop()
    await assert.rejects(ground.run('restore', folder), /There is a database already/)
    await assert.rejects(ground.run('restore', ground.dataFolder), /holds no whole backup/)
    const other = await Ground.make(t, 'sqlite', {}, true)
    await rm(join(folder, 'uploads'), { recursive: true })
    await assert.rejects(other.run('restore', folder), /0 of its 1 files/)
    // A server that goes on with these uploads would lose what it got since the backup.
    await writeFile(join(other.dataFolder, 'organization'), 'of a server')
    for (const command of ['restore', 'import']) {
      await assert.rejects(other.run(command, folder), /has the uploads of another organization: set PARLEY_UPLOADS/)
    }
    await rm(join(other.dataFolder, 'organization'))
    for (const manifest of ['{"format":2}', 'null']) {
      await writeFile(join(folder, 'manifest.json'), manifest)
      await assert.rejects(other.run('restore', folder), /another release/)
    }
  })

  test('an interrupted restore can be repeated', async (t) => {
    const ground = await Ground.make(t, 'sqlite')
    await (await ground.start()).parley.stop()
    const folder = join(ground.dataFolder, 'backup')
    await ground.run('backup', folder)
    const other = await Ground.make(t, 'sqlite', {}, true)
    const file = join(folder, 'parley.sqlite')
    const whole = await readFile(file)
    await writeFile(file, whole.subarray(0, whole.length - 3000))
    await assert.rejects(other.run('restore', folder), /The backup is damaged/)
    assert.ok(await other.hasNoDatabase())
    await writeFile(file, whole)
    await other.run('restore', folder)
    assert.ok(!(await other.hasNoDatabase()))
  })

  test('damaged and unreadable files are not accepted as a backup, nor are secrets of other servers', async (t) => {
    const ground = await Ground.make(t, 'sqlite')
    await (await ground.start()).parley.stop()
    const backup = (name: string, environment = {}) =>
      perform(['backup', join(ground.dataFolder, name)], { ...ground.environment, ...environment }, () => undefined)
    const [, line] = await backup('a', { PARLEY_SECRET: 's'.repeat(32) })
    assert.equal(line, 'Keep PARLEY_SECRET too: it is not in it')
    assert.ok(!(await readdir(join(ground.dataFolder, 'a'))).includes('secret'))
    await assert.rejects(
      copyFiles(join(ground.dataFolder, 'secret'), join(ground.dataFolder, 'b'), () => undefined),
      /ENOTDIR/,
    )
    const file = ground.environment.DATABASE_URL.replace('sqlite:', '')
    const database = new Sqlite(file)
    const page = Number(database.prepare("select max(pageno) from dbstat where name = 'message'").pluck().get())
    const size = Number(database.pragma('page_size', { simple: true }))
    database.close()
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size)
    await handle.close()
    await assert.rejects(backup('c'), /The database is damaged: /)
    assert.ok(!(await readdir(join(ground.dataFolder, 'c'))).includes('manifest.json'))
    const organization = new Sqlite(file)
    organization.exec('delete from organization')
    organization.close()
    await assert.rejects(backup('d'), /parley\.sqlite has no organization/)
  })

  test('name the tool for MariaDB', async () => {
    const restored = perform(['restore', 'folder'], { DATABASE_URL: 'mariadb://localhost/parley' }, () => undefined)
    await assert.rejects(restored, /use mariadb-dump/)
  })
})

onEachDatabase('checks of a database', (dialect) => {
  test('check-database finds missing and truncated files', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { as } = await ground.start()
    const keys: string[] = []
    for (const name of ['a.txt', 'b.txt']) {
      const { body } = await as('member').upload(name, 'content')
      keys.push(/([0-9a-f]{32})/.exec(body.url)?.[1] ?? '')
    }
    assert.deepEqual(await ground.run('check-database'), ['The database is whole, and so are its 2 files'])
    const [first = '', second = ''] = keys.map((key) => join(ground.dataFolder, 'uploads/files', key.slice(0, 2), key))
    await rm(first)
    await truncate(second, 3)
    await assert.rejects(ground.run('check-database'), (err: Error) => {
      assert.match(err.message, /has no bytes instead of 7/)
      assert.match(err.message, /has 3 bytes instead of 7/)
      return true
    })
  })
})

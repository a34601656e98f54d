import assert from 'node:assert/strict'
import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import sharp from 'sharp'
import { ROLE } from '../../domain/users/roles.ts'
import { Ground, logIn } from '../ground-testing.ts'
import { ApiClient, onEachDatabase } from '../testing.ts'
import { archiveAt, writeArchive } from './archive-testing.ts'

const PICTURE = sharp({ create: { width: 120, height: 120, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const passwordIn = (lines: readonly string[]) => /^Password: (\S+)$/.exec(lines.at(-1) ?? '')?.[1] ?? ''

onEachDatabase('operators’ imports', (dialect) => {
  /** The whole archive of a new organization, and the files in it. */
  async function exported(t: TestContext) {
    const ground = await Ground.make(t, dialect)
    const { parley, as } = await ground.start()
    await parley.stop()
    const archive = join(ground.dataFolder, 'export.tar.gz')
    await ground.run('export', archive, '--type', 'full_without_consent')
    return { as, archive, files: await archiveAt(archive) }
  }

  test('give one owner a password; operators let others in, which is announced (EV-REALMUSER-23, 24)', async (t) => {
    const ground = await Ground.make(t, dialect)
    const archive = join(ground.dataFolder, 'export.tar.gz')
    const { as, parley } = await ground.start()
    const [owner, member, moderator] = ['owner', 'member', 'moderator'].map(as) as [ApiClient, ApiClient, ApiClient]
    const { url: upload } = (await member.upload('kept.txt', 'bytes of the file')).body
    const icon = new FormData()
    icon.append('file', new File([Uint8Array.from(await PICTURE)], 'icon.png'))
    const { icon_url: address } = (await owner.request('POST', '/realm/icon', {}, { body: icon })).body
    const bytesOfIcon = await (await owner.fetch(address)).bytes()
    const { id: message_id } = await owner.must('POST', '/messages', {
      type: 'direct',
      to: [owner.userId],
      content: 'a',
    })
    await owner.must('POST', '/reminders', { message_id, scheduled_delivery_timestamp: 4_000_000_000 })
    await owner.must('DELETE', `/messages/${message_id}`)
    const { reminders } = await owner.must('GET', '/reminders')
    await parley.stop()
    await assert.rejects(ground.run('import', archive), /There is an organization already/)
    await ground.run('export', archive, '--type', 'full_without_consent')
    const other = await Ground.make(t, dialect, {}, true)
    const printed = await other.run('import', archive)
    assert.match(
      printed.join('\n'),
      /^The organization is there: 8 accounts, 7 messages, 1 files\nNobody has a password/,
    )
    const file = join(other.dataFolder, 'owner-credentials.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const { users, password } = JSON.parse(await readFile(file, 'utf8'))
    assert.deepEqual([password, users.owner.email], [passwordIn(printed), owner.email])
    await assert.rejects(other.run('import', archive), /There is an organization already/)

    const { url } = await other.start()
    const login = await logIn(url, owner.email, passwordIn(printed))
    const registered = await login.must('POST', '/register', { event_types: ['realm_user', 'user_group'] })
    const stubs = registered.realm_users.filter((user: { is_imported_stub: boolean }) => user.is_imported_stub)
    assert.ok(!stubs.some(({ user_id: id }: { user_id: number }) => id === owner.userId), 'they have logged in')
    assert.ok(stubs.some(({ user_id: id }: { user_id: number }) => id === member.userId))
    await assert.rejects(logIn(url, member.email, 'correct horse'), /incorrect/)
    const again = await logIn(url, member.email, passwordIn(await other.run('reset-password', member.email)))
    await logIn(url, owner.email, passwordIn(printed))
    assert.deepEqual((await login.must('GET', '/reminders')).reminders, reminders)
    assert.equal(reminders.length, 1)
    assert.equal((await again.must('GET', '/users/me')).is_imported_stub, false)
    assert.equal(await (await again.fetch(upload)).text(), 'bytes of the file')
    assert.equal((await again.must('GET', '/server_settings')).realm_icon, address)
    assert.deepEqual(await (await again.fetch(address)).bytes(), bytesOfIcon)
    const rc = (await other.run('reset-key', moderator.email)).join('\n')
    const moderatorAgain = new ApiClient(url, {
      email: moderator.email,
      api_key: /^key=(\w+)$/m.exec(rc)?.[1] ?? '',
      user_id: moderator.userId,
    })
    const { realm_users } = await moderatorAgain.must('POST', '/register', { fetch_event_types: ['realm_user'] })
    const { queue_id, last_event_id } = registered
    const { events } = await login.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    assert.deepEqual(
      events.map(({ person }: { person: object }) => ({ ...person, date_joined: '' })),
      [member, moderator].map(({ userId: user_id }) => ({ user_id, is_imported_stub: false, date_joined: '' })),
    )
    for (const { person } of events) {
      assert.ok(Math.abs(Date.parse(person.date_joined) - Date.now()) < 60_000, person.date_joined)
      const shown = realm_users.find(({ user_id: id }: { user_id: number }) => id === person.user_id)
      assert.deepEqual([shown.date_joined, shown.is_imported_stub], [person.date_joined, false])
    }
    assert.ok(events.length > 0)
  })

  test('leave nothing of a truncated archive, or of one with duplicates', async (t) => {
    const { archive, files } = await exported(t)
    const other = await Ground.make(t, dialect, {}, true)
    const bytes = await readFile(archive)
    const broken = join(other.dataFolder, 'broken.tar.gz')
    await writeFile(broken, bytes.subarray(0, bytes.length - 2000))
    await assert.rejects(
      other.run('import', broken),
      /Nothing was imported\. The archive is (cut off|no gzip, or damaged)/,
    )
    const [first = '', second = ''] = String(files.get('users/000001.jsonl')).split('\n').slice(1)
    const email = JSON.parse(first).delivery_email.toUpperCase()
    const twice = JSON.stringify({ ...JSON.parse(second), delivery_email: email })
    const users = String(files.get('users/000001.jsonl')).replace(second, twice)
    await writeArchive(broken, new Map<string, Buffer | string>([...files, ['users/000001.jsonl', users]]))
    await assert.rejects(other.run('import', broken), /users\/000001\.jsonl line 3 says what another line has said/)
    await assert.rejects(other.run('list'), /There is no organization yet/)
    await other.run('import', archive)
    assert.equal((await other.run('list')).length, 7)
  })

  const atLast = { skip: dialect === 'mariadb' && 'there the last step is a commit' }
  test('leave no credentials if the last step fails, which the next start would give out', atLast, async (t) => {
    const { archive } = await exported(t)
    const other = await Ground.make(t, dialect, {}, true)
    const inTheWay = `${other.environment.DATABASE_URL.replace('sqlite:', '')}-journal`
    await mkdir(inTheWay)
    await assert.rejects(other.run('import', archive), /-journal/)
    await rmdir(inTheWay)
    const { credentials } = await other.start()
    assert.ok(credentials?.users.member, 'these are of the demo')
  })

  test('accept an administrator’s archive with changes made during its export', async (t) => {
    const { as, archive, files } = await exported(t)
    const last = JSON.parse(String(files.get('export.json'))).last_message_id
    const { userId: user_id } = as('member')
    const change = (folder: string, index: number, changes: object): void => {
      const name = `${folder}/000001.jsonl`
      const lines = String(files.get(name)).trimEnd().split('\n')
      const line = JSON.stringify({ ...JSON.parse(lines.at(index) ?? '{}'), ...changes })
      files.set(name, Buffer.from([...lines.with(index, line), ''].join('\n')))
    }
    // Somebody deleted the file of a message, joined again, and read a message that came too late.
    change('messages', -1, { attachment_ids: [999] })
    change('private/received', 0, { user_id, to_message_id: null, after_message_id: last + 2 })
    const bits = Buffer.alloc(512)
    bits[(last + 5) >> 3] = 1 << ((last + 5) & 7)
    const read = { user_id, block: 0, form: 0, bits: bits.toString('base64') }
    files.set('private/read/000001.jsonl', Buffer.from(`${JSON.stringify(read)}\n`))
    await writeArchive(archive, files)
    const other = await Ground.make(t, dialect, {}, true)
    const printed = await other.run('import', archive)
    const { url } = await other.start()
    const owner = await logIn(url, as('owner').email, passwordIn(printed))
    const [received] = String(files.get('private/received/000001.jsonl')).split('\n')
    const { channel_id: to } = JSON.parse(received ?? '')
    const { id } = await owner.must('POST', '/messages', { type: 'channel', to, topic: 'a', content: 'a' })
    assert.equal(id, last + 6)
    const member = await logIn(
      url,
      as('member').email,
      passwordIn(await other.run('reset-password', as('member').email)),
    )
    assert.deepEqual((await member.must('GET', `/messages/${id}`)).message.flags, [])
  })

  test('G3: lower a bot with a higher role than its owner', async (t) => {
    const { as, archive, files } = await exported(t)
    const people = String(files.get('users/000001.jsonl')).trimEnd().split('\n')
    const above = { role: ROLE.administrator, bot_owner_id: as('guest').userId }
    const users = people.map((line) => {
      const person = JSON.parse(line)
      return `${JSON.stringify({ ...person, ...(person.user_id === as('bot').userId && above) })}\n`
    })
    await writeArchive(archive, new Map([...files, ['users/000001.jsonl', Buffer.from(users.join(''))]]))
    const other = await Ground.make(t, dialect, {}, true)
    const printed = await other.run('import', archive)
    const { url } = await other.start()
    const owner = await logIn(url, as('owner').email, passwordIn(printed))
    assert.equal((await owner.must('GET', `/users/${as('bot').userId}`)).user.role, ROLE.guest)
  })
})

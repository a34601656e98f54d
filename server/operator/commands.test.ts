import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { perform } from '../admin.ts'
import { Ground, logIn } from '../ground-testing.ts'
import { ApiClient, onEachDatabase } from '../testing.ts'
import { COMMANDS } from './commands.ts'

const passwordIn = (lines: readonly string[]) => /^Password: (\S+)$/.exec(lines.at(-1) ?? '')?.[1] ?? ''

onEachDatabase('operators’ commands for accounts', (dialect) => {
  test('take effect in the running server, and are announced', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { url, as } = await ground.start()
    const guest = as('guest')
    const event_types = ['realm_user', 'realm']
    const { queue_id, last_event_id } = await guest.must('POST', '/register', { event_types, fetch_event_types: [] })
    const printed = await ground.run('add-user', 'ada@example.com', 'Ada Lovelace', '--role', 'moderator')
    const ada = await logIn(url, 'ada@example.com', passwordIn(printed))
    assert.equal((await ada.must('GET', '/users/me')).role, 300)
    await ground.run('make-owner', 'ada@example.com')
    await ground.run('rename-organization', 'Harbour')
    const bot = await ground.run('add-bot', 'ping-bot@example.com', 'Ping', guest.email)
    assert.match(bot.join('\n'), new RegExp(`^\\[api\\]\nemail=ping-bot@example.com\nkey=\\w{32}\nsite=${url}$`))
    const { events } = await guest.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    const told = events.map((event: { op: string; person?: { role?: number }; value?: string }) => [
      event.op,
      event.person?.role ?? event.value,
    ])
    assert.deepEqual(told, [
      ['add', 300],
      ['update', 100],
      ['update', 'Harbour'],
      ['add', 600],
    ])
    const invitee_emails = 'kim@example.com'
    await ada.must('POST', '/invites', { invitee_emails, stream_ids: [], invite_expires_in_minutes: null })
    const [invited = ''] = await ground.run('invites')
    const [invitee, role, by, end, link] = invited.split('\t').slice(1)
    assert.deepEqual([invitee, role, by, end], ['kim@example.com', 'member', 'ada@example.com', '-'])
    assert.match(link ?? '', new RegExp(`^${url}/join/\\w{24}$`))
    const listed = await ground.run('list')
    assert.deepEqual(
      listed.slice(-2).map((line) => line.split('\t').slice(1)),
      [
        ['owner', 'active', 'ada@example.com', 'Ada Lovelace'],
        ['bot', 'active', 'ping-bot@example.com', 'Ping'],
      ],
    )
  })

  test('replace keys and passwords: the former ones are refused at once', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { url, as } = await ground.start()
    const [member, bot] = [as('member'), as('bot')]
    for (const user of [member, bot]) await user.must('GET', '/users/me')
    const rc = (await ground.run('reset-key', bot.email)).join('\n')
    const key = /^key=(\w+)$/m.exec(rc)?.[1] ?? ''
    assert.equal((await bot.get('/users/me')).body.code, 'INVALID_API_KEY')
    const again = new ApiClient(url, { email: bot.email, api_key: key, user_id: bot.userId })
    assert.equal((await again.get('/users/me')).status, 200)
    const printed = await ground.run('reset-password', String(member.userId))
    assert.equal((await member.get('/users/me')).body.code, 'INVALID_API_KEY')
    assert.equal((await logIn(url, member.email, passwordIn(printed))).userId, member.userId)
    await assert.rejects(ground.run('reset-password', bot.email), /Bots have no password/)
  })

  test('work without a server, and refuse one that starts meanwhile', async (t) => {
    const ground = await Ground.make(t, dialect)
    await assert.rejects(ground.run('list'), /There is no organization yet/)
    const first = await ground.start()
    await first.parley.stop()
    const printed = await ground.run('add-user', 'ada@example.com', 'Ada Lovelace')
    const { url } = await ground.start()
    const ada = await logIn(url, 'ada@example.com', passwordIn(printed))
    assert.equal((await ada.must('GET', '/users/me')).role, 400)
  })

  test('U10: do not create a missing data folder or database, and say where they looked', async (t) => {
    const ground = await Ground.make(t, dialect, {}, true)
    const folder = join(ground.dataFolder, 'nowhere')
    const readers = [
      ['list'],
      ['add-user', 'a@example.com', 'Ada'],
      ['backup', folder],
      ['check-database'],
      ['export', folder],
    ]
    for (const args of readers) {
      const says = (err: Error) => err.message.includes(folder) && /PARLEY_DATA.*--data/.test(err.message)
      await assert.rejects(ground.run(...args, '--data', folder), says, args.join(' '))
      await assert.rejects(ground.run(...args), /There is no organization yet/, args.join(' '))
    }
    assert.deepEqual(await readdir(ground.dataFolder), [])
    // As after a server that was killed, and whose database was moved away.
    await writeFile(join(ground.dataFolder, 'operator.json'), '{}')
    await assert.rejects(ground.run('list'), /There is no organization yet/)
    assert.ok(await ground.hasNoDatabase())
  })

  test('report errors, and change nothing', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { as } = await ground.start()
    const before = await ground.run('list')
    const refusals: [string[], RegExp][] = [
      [['make-owner', 'nobody@example.com'], /There is no account nobody@example\.com/],
      [['make-owner', as('bot').email], /Bots own nothing/],
      [['add-user', as('guest').email, 'Gus Again'], /already in use/],
      [['add-user', 'no address', 'Ada'], /valid e-mail address/],
      [['add-user', 'ada@example.com', 'Ada', '--role', 'king'], /There is no role king: owner, /],
      [['add-user', 'ada@example.com', 'Ada', '--role', 'constructor'], /There is no role constructor/],
      [['add-bot', 'b@example.com', 'Bot', as('bot').email], /no active person/],
      [['rename-organization', 'x'.repeat(41)], /too long/],
      [['rename-organization', ' '], /NAME is missing/],
    ]
    for (const [args, says] of refusals) await assert.rejects(ground.run(...args), says, args.join(' '))
    assert.deepEqual(await ground.run('list'), before)
    assert.equal((await as('guest').must('GET', '/server_settings')).realm_name, 'Parley Demo')
  })
})

describe('operators’ commands', () => {
  const run = (...args: readonly string[]) => perform(args, {}, () => undefined)

  test('have an overview, and their own help', async () => {
    const overview = (await run()).join('\n')
    for (const { name, words, options = [] } of COMMANDS) {
      assert.match(overview, new RegExp(`^  ${name} `, 'm'))
      const help = (await run(name, '--help')).join('\n')
      for (const word of words) assert.ok(help.includes(word.name.toUpperCase()) && help.includes(word.meaning), help)
      for (const option of options) assert.ok(help.includes(`--${option.name} ${option.value}`), help)
    }
  })

  test('report wrong usage', async () => {
    await assert.rejects(run('fly'), /There is no command fly: npm run admin -- --help lists all/)
    await assert.rejects(
      run('add-user', 'ada@example.com'),
      /^OperatorError: Usage: npm run admin -- add-user EMAIL FULL-NAME/,
    )
    await assert.rejects(run('list', '--colour'), /--colour.*npm run admin -- list --help/)
  })

  test('require the token of the data folder (SEC-OPERATOR-1)', async (t) => {
    const ground = await Ground.make(t, 'sqlite')
    const { parley } = await ground.start()
    const file = join(ground.dataFolder, 'operator.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const { default: endpoint } = await import(`file://${file}`, { with: { type: 'json' } })
    for (const Authorization of ['', `Bearer ${'x'.repeat(43)}`, `Basic ${endpoint.token}`]) {
      const response = await fetch(`${endpoint.url}/run`, {
        method: 'POST',
        headers: { Authorization },
        body: '{"command":"list","given":{}}',
      })
      assert.equal(response.status, 401)
    }
    await parley.stop()
    await assert.rejects(stat(file), { code: 'ENOENT' })
  })

  test('the first start creates the organization of the settings, and no demo', async (t) => {
    const owner = { email: 'ada@example.com', fullName: 'Ada Lovelace' }
    const ground = await Ground.make(t, 'sqlite', { organization: 'empty', organizationName: 'Harbour', owner })
    const { as } = await ground.start()
    const me = await as('owner').must('GET', '/users/me')
    assert.deepEqual([me.delivery_email, me.full_name, me.role], [owner.email, owner.fullName, 100])
    assert.equal((await as('owner').must('GET', '/server_settings')).realm_name, 'Harbour')
    assert.equal((await stat(join(ground.dataFolder, 'owner-credentials.json'))).mode & 0o777, 0o600)
    await assert.rejects(stat(join(ground.dataFolder, 'demo-credentials.json')), { code: 'ENOENT' })
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ground, logIn } from '../ground-testing.ts'
import { ApiClient, onEachDatabase } from '../testing.ts'

onEachDatabase('operators’ commands for people', (dialect) => {
  test('U11: deactivate and reactivate accounts, change roles and addresses, and announce it', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { as } = await ground.start()
    const [guest, member, owner, bot] = [as('guest'), as('member'), as('owner'), as('bot')]
    const { queue_id, last_event_id } = await guest.must('POST', '/register', {
      event_types: ['realm_user'],
      fetch_event_types: [],
    })
    await ground.run('deactivate-user', member.email)
    assert.equal((await member.get('/users/me')).status, 401)
    await ground.run('reactivate-user', member.email)
    await member.must('GET', '/users/me')
    await ground.run('change-role', member.email, 'moderator')
    await ground.run('change-email', member.email, 'max@example.com')
    const { events } = await guest.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    const told = events.map(({ person }: { person: Record<string, unknown> }) => Object.entries(person).at(-1))
    assert.deepEqual(told.slice(0, 3), [
      ['is_active', false],
      ['is_active', true],
      ['role', 300],
    ])
    const [found] = JSON.parse((await ground.run('list', '--json')).join('')).filter(
      ({ email }: { email: string }) => email === 'max@example.com',
    )
    assert.deepEqual(found, {
      user_id: member.userId,
      role: 'moderator',
      is_bot: false,
      is_active: true,
      email: 'max@example.com',
      full_name: 'Max Member',
    })
    const refusals: [string[], RegExp][] = [
      [['deactivate-user', owner.email], /only organization owner/],
      [['change-role', owner.email, 'member'], /only owner/],
      [['change-role', 'max@example.com', 'king'], /There is no role king: owner, /],
      [['change-role', bot.email, 'owner'], /Bots own nothing/],
      [['change-email', 'max@example.com', owner.email], /already in use/],
    ]
    for (const [args, says] of refusals) await assert.rejects(ground.run(...args), says, args.join(' '))
  })

  test('G3: a bot never gets a higher role than its owner, and a higher role gives it another key', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { url, as } = await ground.start()
    const email = 'ping-bot@example.com'
    const { key } = JSON.parse((await ground.run('add-bot', email, 'Ping', as('member').email, '--json')).join(''))
    const above = ground.run('change-role', email, 'moderator')
    await assert.rejects(above, /A bot cannot have a higher role than its owner/)
    const bot = new ApiClient(url, { email, api_key: key, user_id: 0 })
    await ground.run('change-role', email, 'guest')
    assert.equal((await bot.must('GET', '/users/me')).role, 600)
    await ground.run('change-role', email, 'member')
    assert.equal((await bot.get('/users/me')).body.code, 'INVALID_API_KEY')
  })

  test('U11: a bot whose owner has left is reactivated with an owner of the organization', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { as } = await ground.start()
    const [owner, member] = [as('owner'), as('member')]
    await ground.run('add-bot', 'ping-bot@example.com', 'Ping', member.email)
    await ground.run('deactivate-user', member.email)
    await ground.run('reactivate-user', 'ping-bot@example.com')
    const { members } = await owner.must('GET', '/users')
    const ping = members.find(({ full_name }: { full_name: string }) => full_name === 'Ping')
    assert.deepEqual([ping.is_active, ping.bot_owner_id], [true, owner.userId])
  })

  test('U11: create and revoke invitations, for one address or for many people', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { url, as } = await ground.start()
    const made = async (...args: string[]) => JSON.parse((await ground.run('invite', ...args, '--json')).join(''))
    const kim = await made('--email', 'kim@example.com', '--days', '3', '--role', 'guest')
    const many = await made('--by', as('member').email)
    assert.match(many.link, new RegExp(`^${url}/join/\\w{24}$`))
    const listed = JSON.parse((await ground.run('invites', '--json')).join(''))
    assert.deepEqual(
      listed.map(({ email, role, invited_by, link }: Record<string, string>) => [email, role, invited_by, link]),
      [
        ['kim@example.com', 'guest', as('owner').email, kim.link],
        [null, 'member', as('member').email, many.link],
      ],
    )
    assert.ok(listed[0].expires_at !== null && listed[1].expires_at === null)
    const refusals: [string[], RegExp][] = [
      [['--email', as('guest').email], /has an account/],
      [['--email', 'kim'], /valid e-mail address/],
      [['--role', 'owner', '--by', as('member').email], /may not give the role owner/],
      [['--by', as('bot').email], /no active person/],
      [['--days', '0'], /--days/],
    ]
    for (const [args, says] of refusals) await assert.rejects(ground.run('invite', ...args), says, args.join(' '))
    for (const { id } of listed) await ground.run('revoke-invite', String(id))
    assert.deepEqual(await ground.run('invites'), [])
    await assert.rejects(ground.run('revoke-invite', String(listed[1].id)), /There is no open invitation/)
  })

  test('U11: every answer is one line of JSON on request', async (t) => {
    const ground = await Ground.make(t, dialect)
    const { url, as, parley } = await ground.start()
    const json = async (...args: string[]) => {
      const lines = await ground.run(...args, '--json')
      assert.equal(lines.length, 1)
      return JSON.parse(lines[0] ?? '')
    }
    const ada = await json('add-user', 'ada@example.com', 'Ada Lovelace')
    assert.equal((await logIn(url, ada.email, ada.password)).userId, ada.user_id)
    const { email, key, site } = await json('reset-key', as('bot').email)
    assert.ok(email === as('bot').email && site === url && /^\w{32}$/.test(key))
    await parley.stop()
    assert.deepEqual(await json('rename-organization', 'Harbour'), { name: 'Harbour' })
    assert.deepEqual(await json('check-database'), { files: 0 })
  })
})

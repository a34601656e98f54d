import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users', (dialect) => {
  const parley = sharedParley(dialect)
  const idsOf = (members: { user_id: number }[]): number[] => members.map((user) => user.user_id)

  test('everybody, with every field of a person and of a bot', async () => {
    const server = await parley()
    const { members } = await server.as('guest').must('GET', '/users')
    const all = Object.values(server.credentials.users).map((login) => login.user_id)
    assert.deepEqual(
      idsOf(members),
      all.toSorted((a, b) => a - b),
    )
    const of = (key: string) => members.find((user: { user_id: number }) => user.user_id === server.as(key).userId)
    const { date_joined, ...member } = of('member')
    assert.match(date_joined, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    assert.deepEqual(member, {
      user_id: server.as('member').userId,
      email: 'member@parley.example',
      delivery_email: 'member@parley.example',
      full_name: 'Max Member',
      role: 400,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      is_active: true,
      timezone: '',
      is_imported_stub: false,
      avatar_version: 1,
      avatar_url: null,
    })
    const bot = of('bot')
    assert.deepEqual([bot.is_bot, bot.bot_type, bot.bot_owner_id], [true, 1, server.as('owner').userId])
    const roles = ['owner', 'admin', 'moderator', 'member', 'guest'].map((key) => {
      const { role, is_owner, is_admin, is_guest } = of(key)
      return [role, is_owner, is_admin, is_guest]
    })
    assert.deepEqual(roles, [
      [100, true, true, false],
      [200, false, true, false],
      [300, false, false, false],
      [400, false, false, false],
      [600, false, false, true],
    ])
  })

  test('client_gravatar: null by default, an address without', async () => {
    const member = (await parley()).as('member')
    for (const user of (await member.must('GET', '/users', { client_gravatar: false })).members)
      assert.match(user.avatar_url, /^https:/)
    for (const user of (await member.must('GET', '/users', { client_gravatar: true })).members)
      assert.equal(user.avatar_url, null)
  })

  test('include_custom_profile_fields: their values, not there by default', async () => {
    const member = (await parley()).as('member')
    const { members } = await member.must('GET', '/users', { include_custom_profile_fields: true })
    for (const user of members) assert.deepEqual(user.profile_data, {})
    for (const user of (await member.must('GET', '/users')).members) assert.ok(!('profile_data' in user))
  })

  test('user_ids: those that exist, once, by id', async () => {
    const server = await parley()
    const [member, owner] = [server.as('member'), server.as('owner')]
    const got = async (user_ids: unknown) => idsOf((await member.must('GET', '/users', { user_ids })).members)
    assert.deepEqual(await got([member.userId, owner.userId, owner.userId, 99_999, -1]), [owner.userId, member.userId])
    assert.deepEqual(await got([]), [])
    assert.equal((await member.get('/users', { user_ids: ['x'] })).body.msg, 'user_ids[0] is not an integer')
    assert.equal((await member.get('/users', { user_ids: 'x' })).body.msg, 'user_ids is not valid JSON')
    assert.equal((await member.get('/users', { user_ids: 5 })).body.msg, 'user_ids is not a list')
  })
})

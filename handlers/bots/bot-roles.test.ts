import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLE } from '../../domain/users/roles.ts'
import { ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

onEachDatabase('a bot never has a higher role than its owner (DIFF-BOT-ROLE, SEC-WRITE-5)', (dialect) => {
  const parley = sharedParley(dialect)

  const setRole = (server: TestServer, { userId }: ApiClient, role: number) =>
    server.as('owner').must('PATCH', `/users/${userId}`, { role })
  const roleOf = async (server: TestServer, { userId }: ApiClient): Promise<number> =>
    (await server.as('owner').must('GET', `/users/${userId}`)).user.role
  const keyOf = async (server: TestServer, { userId }: ApiClient): Promise<string> =>
    (await server.as('owner').must('GET', `/bots/${userId}/api_key`)).api_key
  const withNewKey = async (server: TestServer, bot: ApiClient) =>
    new ApiClient(server.url, { email: bot.email, api_key: await keyOf(server, bot), user_id: bot.userId })

  /** Creates a user and their bot, both with the role. */
  async function begin(server: TestServer, role: number) {
    const owner = await server.newUser()
    await setRole(server, owner, role)
    const bot = await server.newBot(owner)
    await setRole(server, bot, role)
    return { owner, bot: await withNewKey(server, bot) }
  }

  test('G3: a bot cannot restore a role that its owner lost', async () => {
    const server = await parley()
    const { owner, bot } = await begin(server, ROLE.administrator)
    const other = await server.newBot(owner)
    const heard = await server.as('member').listen(['realm_user'])
    await setRole(server, owner, ROLE.member)
    const told = (await heard()).map(({ person }) => person)
    const expected = [owner, bot].map(({ userId: user_id }) => ({ user_id, role: ROLE.member }))
    assert.deepEqual(told, expected, 'the other bot has been a member all the time')
    const refused = await bot.patch(`/users/${owner.userId}`, { role: ROLE.administrator })
    assert.equal(refused.body.code, 'UNAUTHORIZED_PRINCIPAL')
    await setRole(server, owner, ROLE.administrator)
    assert.deepEqual([await roleOf(server, bot), await roleOf(server, other)], [ROLE.member, ROLE.member])
  })

  test('G3: the bots of a guest see what guests see, also after reactivation', async () => {
    const server = await parley()
    const { owner, bot } = await begin(server, ROLE.member)
    const asleep = await server.newBot(owner)
    await owner.must('DELETE', `/bots/${asleep.userId}`)
    const { name, id } = await server.newChannel([server.as('member')])
    const { queue_id } = await bot.must('POST', '/register', { event_types: ['stream'] })
    await setRole(server, owner, ROLE.guest)
    const { events } = await bot.must('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
    assert.ok(events.some((one: Record<string, number[]>) => one.stream_ids?.includes(id)))
    assert.equal((await bot.get('/get_stream_id', { stream: name })).status, 400)
    await server.as('owner').must('POST', `/users/${asleep.userId}/reactivate`)
    assert.equal(await roleOf(server, asleep), ROLE.guest)
  })

  test('G3: a new owner lowers its role, by transfer or reactivation', async () => {
    const server = await parley()
    const { owner, bot } = await begin(server, ROLE.administrator)
    const member = await server.newUser()
    await owner.must('PATCH', `/bots/${bot.userId}`, { bot_owner_id: member.userId })
    assert.equal(await roleOf(server, bot), ROLE.member)
    const { owner: former, bot: left } = await begin(server, ROLE.owner)
    const admin = server.as('admin')
    await server.as('owner').must('DELETE', `/users/${former.userId}`)
    await setRole(server, former, ROLE.administrator)
    await admin.must('POST', `/users/${left.userId}/reactivate`)
    assert.equal(await roleOf(server, left), ROLE.administrator)
  })

  test('G3: nobody raises it above its owner, even one of the same request', async () => {
    const server = await parley()
    const [owner, admin] = [await server.newUser(), server.as('admin')]
    const bot = await server.newBot(owner)
    for (const path of [`/bots/${bot.userId}`, `/users/${bot.userId}`]) {
      const refused = await admin.patch(path, { role: ROLE.moderator })
      assert.deepEqual([refused.status, refused.body.msg], [400, 'A bot cannot have a higher role than its owner.'])
    }
    await admin.must('PATCH', `/bots/${bot.userId}`, { role: ROLE.moderator, bot_owner_id: admin.userId })
    assert.equal(await roleOf(server, bot), ROLE.moderator)
  })

  test('nobody with a lower role changes it', async () => {
    const server = await parley()
    const { bot } = await begin(server, ROLE.owner)
    for (const path of [`/users/${bot.userId}`, `/bots/${bot.userId}`]) {
      assert.equal((await server.as('admin').patch(path, { full_name: 'Mine' })).body.msg, 'Insufficient permission')
    }
  })

  test('G3: a higher role replaces its key, a lower one does not (DIFF-BOT-KEY)', async () => {
    const server = await parley()
    const { bot } = await begin(server, ROLE.administrator)
    const { queue_id } = await bot.must('POST', '/register', { event_types: ['message'] })
    await setRole(server, bot, ROLE.member)
    await bot.must('GET', '/users/me')
    await setRole(server, bot, ROLE.moderator)
    assert.equal((await bot.get('/users/me')).body.code, 'INVALID_API_KEY')
    assert.equal((await bot.get('/events', { queue_id, dont_block: true })).body.code, 'INVALID_API_KEY')
    await (await withNewKey(server, bot)).must('GET', '/users/me')
  })
})

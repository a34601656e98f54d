import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CredentialsReader } from '../../db/repositories/credentials.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('bots', (dialect) => {
  const parley = sharedParley(dialect)

  let count = 0
  const namesOf = () => {
    count += 1
    return { full_name: `Hand ${count}`, short_name: `hand-${count}` }
  }
  const refusal = async (call: ReturnType<ApiClient['get']>) => (await call).body.msg

  test('are refused with a reason (DIFF-BOT-KINDS)', async () => {
    const server = await parley()
    const owner = await server.newUser()
    const bot = await server.newBot(owner)
    const make = (values: object) => refusal(owner.post('/bots', { ...namesOf(), ...values }))
    const present = await server.as('admin').must('GET', `/users/${bot.userId}`)
    assert.equal(await make({ full_name: present.user.full_name.toUpperCase() }), 'Name is already in use!')
    assert.equal(await make({ short_name: bot.email.split('-bot@')[0] }), 'Username already in use')
    for (const short_name of ['', ' ', 'a b', 'a@b', 'ボット', 'x'.repeat(65)])
      assert.equal(await make({ short_name }), 'Bad name or username')
    for (const bot_type of [0, 3, 4, 5]) assert.match(await make({ bot_type }), /^Invalid bot_type \d/)
    assert.equal(await make({ full_name: 'x' }), 'Name too short!')
  })

  test('an account owns 100 bots at most (DIFF-BOTS)', async () => {
    const server = await parley()
    const owner = await server.newUser()
    await server.newBot(owner)
    await server.inDatabase(async ({ knex }) => {
      const row = await knex('user').where({ bot_owner_id: owner.userId }).first()
      const rows = Array.from({ length: 99 }, (_, index) => {
        const email = `${owner.userId}-${index}-bot@parley.example`
        return { ...row, id: undefined, email, email_key: email, full_name_key: email, api_key_hash: email }
      })
      await knex('user').insert(rows.map(({ id: _, ...one }) => one))
    })
    assert.equal(await refusal(owner.post('/bots', namesOf())), 'An account owns 100 bots at most')
    const other = await server.newUser()
    const bot = await server.newBot(other)
    const give = { bot_owner_id: owner.userId }
    assert.match(await refusal(server.as('admin').patch(`/bots/${bot.userId}`, give)), /at most/)
    // Reactivating a bot of a deactivated account makes the caller its owner.
    await server.as('admin').must('DELETE', `/users/${other.userId}`)
    await server.as('owner').must('PATCH', `/users/${owner.userId}`, { role: ROLE.administrator })
    assert.match(await refusal(owner.post(`/users/${bot.userId}/reactivate`)), /at most/)
    await server.inDatabase(({ knex }) => knex('user').where('email', 'like', `${owner.userId}-%`).delete())
  })

  test('a former owner’s request in flight does not reveal the new key (SEC-KEY-1)', async (t) => {
    const server = await parley()
    const [owner, other] = [await server.newUser(), await server.newUser()]
    const bot = await server.newBot(owner)
    const { encryptedKeys } = CredentialsReader.prototype
    for (const path of [`/bots/${bot.userId}/api_key`, '/bots']) {
      const mocked = t.mock.method(
        CredentialsReader.prototype,
        'encryptedKeys',
        async function (this: CredentialsReader, ids: Parameters<typeof encryptedKeys>[0]) {
          mocked.mock.restore()
          await server.as('owner').must('PATCH', `/bots/${bot.userId}`, { bot_owner_id: other.userId })
          return encryptedKeys.call(this, ids)
        },
      )
      const told = JSON.stringify(await owner.must('GET', path))
      const { api_key } = await other.must('GET', `/bots/${bot.userId}/api_key`)
      assert.ok(!told.includes(api_key), path)
      await server.as('owner').must('PATCH', `/bots/${bot.userId}`, { bot_owner_id: owner.userId })
    }
  })

  test('administrators manage all bots except those above their own role (DIFF-BOT-ROLE)', async () => {
    const server = await parley()
    const [owner, admin] = [server.as('owner'), server.as('admin')]
    const bot = await server.newBot(await server.newUser())
    assert.equal((await admin.must('GET', `/bots/${bot.userId}/api_key`)).api_key, bot.apiKey)
    assert.equal(await refusal(admin.get(`/bots/${owner.userId}/api_key`)), 'No such bot')
    await owner.must('PATCH', `/bots/${bot.userId}`, { role: ROLE.owner, bot_owner_id: owner.userId })
    for (const call of [
      admin.get(`/bots/${bot.userId}/api_key`),
      admin.post(`/bots/${bot.userId}/api_key/regenerate`),
      admin.patch(`/bots/${bot.userId}`, { full_name: 'Mine' }),
      admin.delete(`/bots/${bot.userId}`),
    ]) {
      assert.equal(await refusal(call), 'Insufficient permission')
    }
  })

  test('only administrators give a bot to somebody else (DIFF-BOT-OWNER)', async () => {
    const server = await parley()
    const [owner, other] = [await server.newUser(), await server.newUser()]
    const bot = await server.newBot(owner)
    const give = (id: number) => owner.patch(`/bots/${bot.userId}`, { full_name: 'Mine', bot_owner_id: id })
    assert.equal(await refusal(give(other.userId)), 'Must be an organization administrator')
    assert.equal((await bot.must('GET', '/users/me')).bot_owner_id, owner.userId)
    assert.equal((await give(owner.userId)).status, 200)
  })

  test('a new owner replaces its key, and former managers are told of their loss (DIFF-BOT-KEY)', async () => {
    const server = await parley()
    const [owner, other, admin] = [await server.newUser(), await server.newUser(), server.as('admin')]
    const bot = await server.newBot(owner)
    const queues = await Promise.all([owner, other, admin].map((user) => user.listen(['realm_bot'])))
    const changed = await admin.must('PATCH', `/bots/${bot.userId}`, { bot_owner_id: other.userId })
    assert.equal(changed.bot_owner, other.email)
    const told = await Promise.all(queues.map(async (heard) => (await heard()).map((one) => [one.op, one.bot.user_id])))
    assert.deepEqual(told, [[['delete', bot.userId]], [['add', bot.userId]], []])
    assert.equal((await bot.get('/users/me')).body.code, 'INVALID_API_KEY')
    assert.equal(await refusal(owner.get(`/bots/${bot.userId}/api_key`)), 'Insufficient permission')
    const give = (id: number) => refusal(admin.patch(`/bots/${bot.userId}`, { bot_owner_id: id }))
    assert.equal(await give(2 ** 31 - 1), 'Failed to change owner, no such user')
    assert.equal(await give(bot.userId), "Failed to change owner, bots can't own other bots")
    assert.equal(await give(server.as('guest').userId), "Failed to change owner, guests can't own bots")
    await admin.must('DELETE', `/users/${owner.userId}`)
    assert.equal(await give(owner.userId), 'Failed to change owner, user is deactivated')
  })

  test('a former owner’s key does not work after another account took over the bot', async () => {
    const server = await parley()
    const [owner, admin] = [await server.newUser(), server.as('admin')]
    const bot = await server.newBot(owner)
    await admin.must('DELETE', `/users/${owner.userId}`)
    await admin.must('POST', `/users/${bot.userId}/reactivate`)
    assert.equal((await bot.get('/users/me')).body.code, 'INVALID_API_KEY')
    const { api_key } = await admin.must('GET', `/bots/${bot.userId}/api_key`)
    await new ApiClient(server.url, { ...bot, api_key, user_id: bot.userId }).must('GET', '/users/me')
  })

  test('administrators are told of a new bot, and its properties once', async () => {
    const server = await parley()
    const [owner, admin] = [await server.newUser(), server.as('admin')]
    const heard = await admin.listen(['realm_bot', 'realm_user'])
    const bot = await server.newBot(owner)
    for (const default_all_public_streams of [true, true]) {
      await owner.must('PATCH', `/bots/${bot.userId}`, { default_all_public_streams })
    }
    const told = (await heard()).map(({ type, op }) => `${type} ${op}`)
    assert.deepEqual(told, ['realm_user add', 'realm_bot add', 'realm_bot update'])
  })

  test('a bot that receives all public channels loses them as a guest', async () => {
    const server = await parley()
    const owner = await server.newUser()
    const bot = await server.newBot(owner, { default_all_public_streams: true })
    const { queue_id } = await bot.must('POST', '/register', { event_types: ['message'] })
    const { name } = await server.newChannel([owner])
    const send = () => owner.must('POST', '/messages', { type: 'stream', to: name, topic: 'x', content: 'x' })
    const count = async (id: string) =>
      (await bot.must('GET', '/events', { queue_id: id, last_event_id: -1, dont_block: true })).events.length
    await send()
    assert.equal(await count(queue_id), 1)
    await server.as('admin').must('PATCH', `/bots/${bot.userId}`, { role: ROLE.guest })
    const later = await bot.must('POST', '/register', { event_types: ['message'] })
    await send()
    assert.deepEqual([await count(queue_id), await count(later.queue_id)], [1, 0])
  })
})

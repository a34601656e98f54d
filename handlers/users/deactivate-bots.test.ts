import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ROLE } from '../../domain/users/roles.ts'
import { untilParked } from '../../server/process-testing.ts'
import { type Answer, type ApiClient, onEachDatabase, ownParley } from '../../server/testing.ts'

onEachDatabase('deactivation of the owner of bots (SEC-WRITE-3)', (dialect) => {
  /** Starts a server with a new member who owns the bot. */
  async function begin(t: TestContext) {
    const server = await ownParley(t, dialect)
    const [user, bot] = [await server.newUser(), server.as('bot')]
    await server.inDatabase(({ knex }) => knex('user').where({ id: bot.userId }).update({ bot_owner_id: user.userId }))
    return { server, user, bot, admin: server.as('admin') }
  }

  const changesIn = async (events: () => Promise<Answer['body'][]>) => (await events()).map(({ person }) => person)
  const codeOf = async (call: ReturnType<ApiClient['get']>) => (await call).body.code

  test('their bots are deactivated first, with queues and subscriptions', async (t) => {
    const { server, user, bot, admin } = await begin(t)
    const { name } = await server.newChannel([admin, bot])
    const subscribers = async () =>
      (await admin.must('GET', '/users/me/subscriptions', { include_subscribers: true })).subscriptions.find(
        (one: { name: string }) => one.name === name,
      ).subscribers
    const { queue_id } = await bot.must('POST', '/register', { event_types: ['realm_user'] })
    const observed = await admin.listen(['realm_user'])
    const parked = bot.get('/events', { queue_id, last_event_id: -1 })
    await untilParked(server.url, 1)

    await admin.must('DELETE', `/users/${user.userId}`)
    assert.deepEqual((await parked).body.events, [])
    const ended = [user, bot].map(({ userId: user_id }) => ({ user_id, is_active: false }))
    assert.deepEqual(await changesIn(observed), ended.toReversed())
    assert.deepEqual(await subscribers(), [admin.userId])
  })

  test('they stay deactivated after the owner’s reactivation, until somebody reactivates them', async (t) => {
    const { user, bot, admin } = await begin(t)
    await user.must('DELETE', '/users/me')
    const observed = await admin.listen(['realm_user'])
    await admin.must('POST', `/users/${user.userId}/reactivate`)
    assert.deepEqual(await changesIn(observed), [{ user_id: user.userId, is_active: true }])
    assert.equal(await codeOf(bot.get('/users/me')), 'USER_DEACTIVATED')
    await admin.must('POST', `/users/${bot.userId}/reactivate`)
    await bot.must('GET', '/users/me')
    const { user: found } = await admin.must('GET', `/users/${bot.userId}`)
    assert.equal(found.bot_owner_id, user.userId)
  })

  test('reactivating a bot of a deactivated owner makes the caller its owner', async (t) => {
    const { server, user, bot, admin } = await begin(t)
    await admin.must('DELETE', `/users/${user.userId}`)
    const observed = await admin.listen(['realm_user'])
    await admin.must('POST', `/users/${bot.userId}/reactivate`)
    assert.deepEqual(await changesIn(observed), [
      { user_id: bot.userId, is_active: true },
      { user_id: bot.userId, bot_owner_id: admin.userId },
    ])
    await admin.must('DELETE', `/users/${bot.userId}`)
    const other = server.as('owner')
    await other.must('PATCH', `/users/${admin.userId}`, { role: ROLE.member })
    await other.must('DELETE', `/users/${admin.userId}`)
    await other.must('POST', `/users/${bot.userId}/reactivate`)
    const { user: found } = await other.must('GET', `/users/${bot.userId}`)
    assert.deepEqual([found.is_active, found.bot_owner_id], [true, other.userId])
  })

  test('deactivating an account again deactivates bots that it was left with', async (t) => {
    const { server, user, bot, admin } = await begin(t)
    await server.inDatabase(({ knex }) => knex('user').where({ id: user.userId }).update({ is_active: false }))
    await admin.must('DELETE', `/users/${user.userId}`)
    assert.equal(await codeOf(bot.get('/users/me')), 'USER_DEACTIVATED')
  })
})

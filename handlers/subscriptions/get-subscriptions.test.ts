import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users/me/subscriptions', (dialect) => {
  const parley = sharedParley(dialect)

  test('exactly the channels that one follows (SUBS-3, SUBS-4)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const list = async () =>
      (await user.must('GET', '/users/me/subscriptions')).subscriptions.map((one: { name: string }) => one.name)
    assert.deepEqual(await list(), [])
    await user.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }, { name: 'engineering' }],
    })
    assert.deepEqual((await list()).toSorted(), ['engineering', 'general'])
  })

  test('every field of a subscription (SUB-FIELD-1 to SUB-FIELD-49)', async () => {
    const server = await parley()
    const user = await server.newUser()
    await server.as('owner').must('PATCH', `/users/${user.userId}`, { role: 100 }) // owners set message retention
    const name = server.unique('Fields')
    const request = {
      subscriptions: [{ name, description: '*d*' }],
      invite_only: true,
      message_retention_days: 'unlimited',
    }
    await user.must('POST', '/users/me/subscriptions', request)
    const [own] = (await user.must('GET', '/users/me/subscriptions')).subscriptions
    const [channel] = (await user.must('GET', '/streams', { include_public: false })).streams
    for (const [field, value] of Object.entries(channel)) assert.deepEqual(own[field], value, field)
    const { color, is_muted, in_home_view, pin_to_top, ...rest } = own
    assert.match(color, /^#[0-9a-f]{6}$/)
    assert.deepEqual([is_muted, in_home_view, pin_to_top], [false, true, false])
    for (const kind of [
      'desktop_notifications',
      'email_notifications',
      'push_notifications',
      'audible_notifications',
      'wildcard_mentions_notify',
    ]) {
      assert.equal(rest[kind], null, kind)
    }
    assert.deepEqual(
      [
        rest.description,
        rest.rendered_description,
        rest.creator_id,
        rest.invite_only,
        rest.history_public_to_subscribers,
      ],
      ['*d*', '<p><em>d</em></p>', user.userId, true, false],
    )
    assert.deepEqual([rest.message_retention_days, rest.topics_policy, rest.subscriber_count], [-1, 'inherit', 1])
    for (const absent of ['email_address', 'role', 'subscribers', 'partial_subscribers'])
      assert.ok(!(absent in own), absent)
  })

  test('include_subscribers: none by default, all with true, all of small channels with partial (SUBS-1, 2, 6, 7)', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const name = server.unique('Together')
    const principals = [member.userId, other.userId]
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
    const of = async (parameters: Record<string, unknown>) =>
      (await member.must('GET', '/users/me/subscriptions', parameters)).subscriptions.find(
        (one: { name: string }) => one.name === name,
      )
    for (const parameters of [{}, { include_subscribers: 'false' }])
      assert.ok(!('subscribers' in (await of(parameters))))
    for (const include_subscribers of ['true', 'partial', true]) {
      const { subscribers, partial_subscribers, subscriber_count } = await of({ include_subscribers })
      assert.deepEqual(
        subscribers.toSorted((a: number, b: number) => a - b),
        principals.toSorted((a, b) => a - b),
      )
      assert.equal(partial_subscribers, undefined)
      assert.equal(subscriber_count, 2)
    }
  })

  test('other values are refused (NOTE-25)', async () => {
    const member = (await parley()).as('member')
    for (const include_subscribers of ['maybe', '', 'TRUE', '1']) {
      const { status, body } = await member.get('/users/me/subscriptions', { include_subscribers })
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Invalid include_subscribers'])
    }
  })
})

onEachDatabase('a part of the subscribers', (dialect) => {
  // Lower than any value that can be configured, so that few subscribers count as many.
  const parley = sharedParley(dialect, { partialSubscribersFrom: 8 })
  const DAY_SECONDS = 24 * 3600

  test('leaves out those alone who are known to have done nothing for a fortnight', async () => {
    const server = await parley()
    const [reader, idle, seen, writer, listener, hidden, joined, silent] = await Promise.all(
      Array.from({ length: 8 }, () => server.newUser()),
    )
    assert.ok(reader && idle && seen && writer && listener && hidden && joined && silent)
    const others = [idle, seen, writer, listener, hidden, joined, silent]
    const [few, many] = [server.unique('Few'), server.unique('Many')]
    for (const name of [few, many]) await reader.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const subscribe = (name: string, people: readonly { userId: number }[]) =>
      reader.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: people.map(({ userId }) => userId),
      })
    await subscribe(few, others.slice(0, 6))
    await subscribe(many, others)
    await writer.must('POST', '/messages', { type: 'channel', to: many, topic: 'here', content: 'I am.' })
    await listener.must('POST', '/register', { event_types: ['realm'] })
    await hidden.must('PATCH', '/settings', { presence_enabled: false })
    await server.inDatabase(async (session) => {
      const now = Math.floor(Date.now() / 1000)
      const long = now - 20 * DAY_SECONDS
      for (const [index, { userId }] of others.entries()) {
        if (userId !== joined.userId) await session.run('update user set date_joined = ? where id = ?', [long, userId])
        if (userId === silent.userId) continue
        const at = userId === seen.userId ? now - 13 * DAY_SECONDS : long
        const row = [userId, long, at, 1000 + index]
        await session.run('insert into presence (user_id, active_at, connected_at, update_id) values (?, ?, ?, ?)', row)
      }
    })
    const listed = async (path: '/users/me/subscriptions' | '/register', include_subscribers: string) => {
      const method = path === '/register' ? 'POST' : 'GET'
      const { subscriptions } = await reader.must(method, path, { include_subscribers })
      return [few, many].map((name) => {
        const { subscribers, partial_subscribers: part } = subscriptions.find(
          (one: { name: string }) => one.name === name,
        )
        return { ...(subscribers && { subscribers: subscribers.length }), ...(part && { part }) }
      })
    }
    const part = [reader, ...others.slice(1)].map(({ userId }) => userId).toSorted((a, b) => a - b)
    for (const path of ['/users/me/subscriptions', '/register'] as const) {
      assert.deepEqual(await listed(path, 'partial'), [{ subscribers: 7 }, { part }])
      assert.deepEqual(await listed(path, 'true'), [{ subscribers: 7 }, { subscribers: 8 }])
      assert.deepEqual(await listed(path, 'false'), [{}, {}])
    }
  })
})

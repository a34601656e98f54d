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
    await server.as('owner').must('PATCH', `/users/${user.userId}`, { role: 100 }) // owners say how long messages are kept
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

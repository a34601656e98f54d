import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /streams', (dialect) => {
  const parley = sharedParley(dialect)

  async function names(key: string, parameters: Record<string, unknown> = {}): Promise<string[]> {
    const { streams } = await (await parley()).as(key).must('GET', '/streams', parameters)
    return streams
      .map((channel: { name: string }) => channel.name)
      .filter((name: string) => ['general', 'engineering', 'leads'].includes(name))
  }

  test('by default what one follows and what is public; guests only what they follow', async () => {
    assert.deepEqual((await names('owner')).toSorted(), ['engineering', 'general', 'leads'])
    assert.deepEqual((await names('member')).toSorted(), ['engineering', 'general'])
    assert.deepEqual(await names('guest'), ['general'])
    assert.deepEqual((await names('admin', { include_subscribed: false })).toSorted(), ['engineering', 'general'])
  })

  test('each kind can be left out, and all of them', async () => {
    assert.deepEqual((await names('owner', { include_public: false })).toSorted(), ['engineering', 'general', 'leads'])
    assert.deepEqual(await names('member', { include_public: false, include_subscribed: false }), [])
    assert.deepEqual(
      await names('member', { include_public: false, include_subscribed: false, include_web_public: true }),
      [],
    )
  })

  test('include_all: what one may know of, private ones for administrators too', async () => {
    const server = await parley()
    const name = server.unique('Hidden')
    await server.as('member').must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true })
    const all = async (key: string) => {
      const { streams } = await server.as(key).must('GET', '/streams', { include_all: true })
      return streams.some((channel: { name: string }) => channel.name === name)
    }
    assert.ok(await all('member'))
    assert.ok(await all('admin'))
    assert.ok(!(await all('member2')))
    assert.ok(!(await all('guest')))
    const { streams } = await server.as('admin').must('GET', '/streams')
    assert.ok(!streams.some((channel: { name: string }) => channel.name === name))
  })

  test('a new channel: every field', async () => {
    const server = await parley()
    const member = server.as('member')
    const name = server.unique('Fields')
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name, description: 'About **it**.' }] })
    const find = async () =>
      (await member.must('GET', '/streams')).streams.find((channel: { name: string }) => channel.name === name)
    const { stream_id, date_created, ...channel } = await find()
    assert.ok(Number.isInteger(stream_id) && Math.abs(date_created - Date.now() / 1000) < 60)
    for (const [field, value] of Object.entries(channel)) {
      if (!field.startsWith('can_')) continue
      assert.ok(Number.isInteger(value) || Array.isArray((value as { direct_members: unknown }).direct_members), field)
      delete channel[field]
    }
    assert.deepEqual(channel, {
      name,
      description: 'About **it**.',
      rendered_description: '<p>About <strong>it</strong>.</p>',
      creator_id: member.userId,
      invite_only: false,
      is_web_public: false,
      is_archived: false,
      history_public_to_subscribers: true,
      first_message_id: null,
      message_retention_days: null,
      folder_id: null,
      topics_policy: 'inherit',
      is_recently_active: channel.is_recently_active,
      subscriber_count: 1,
      stream_weekly_traffic: null,
      stream_post_policy: 1,
      is_announcement_only: false,
    })
    const { id } = await member.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content: 'x' })
    const after = await find()
    assert.deepEqual([after.first_message_id, after.is_recently_active], [id, true])
  })

  test('by content, for a bot what its owner follows, and everything to administrators only', async () => {
    const server = await parley()
    const [owner, bot, admin] = [server.as('owner'), server.as('bot'), server.as('admin')]
    const [closed, other] = [server.unique('Content'), server.unique('Content')]
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: closed }], invite_only: true })
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: other }] })
    const none = { include_public: false, include_subscribed: false }
    const found = async (key: string, parameters: Record<string, unknown>) =>
      (await server.as(key).must('GET', '/streams', { ...none, ...parameters })).streams
        .map((channel: { name: string }) => channel.name)
        .filter((name: string) => [closed, other].includes(name))
    assert.deepEqual(await found('owner', { include_can_access_content: true }), [closed, other])
    assert.deepEqual(await found('admin', { include_can_access_content: true }), [other])
    assert.deepEqual(await found('bot', { include_owner_subscribed: true }), [other])
    assert.deepEqual(await found('member', { include_owner_subscribed: true }), [])
    assert.deepEqual(await found('admin', { include_all_active: true }), [closed, other])
    const { status, body } = await bot.get('/streams', { include_all_active: true })
    assert.deepEqual([status, body.msg], [400, 'User not authorized for this query'])
    assert.equal((await admin.get('/streams', none)).body.streams.length, 0)
  })

  test('a wrong boolean names its parameter (ENV-19)', async () => {
    const member = (await parley()).as('member')
    for (const name of [
      'include_public',
      'include_subscribed',
      'include_web_public',
      'include_all',
      'exclude_archived',
    ]) {
      assert.equal((await member.get('/streams', { [name]: 'yes' })).body.msg, `${name} is not a boolean`)
    }
  })
})

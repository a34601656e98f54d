import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users/me/subscriptions', (dialect) => {
  const parley = sharedParley(dialect)

  const subscribe = (client: ApiClient, names: readonly string[], more: Record<string, unknown> = {}) =>
    client.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...more })
  const named = async (client: ApiClient, name: string) =>
    (await client.must('GET', '/users/me/subscriptions')).subscriptions.find(
      (one: { name: string }) => one.name === name,
    )

  test('two spellings of a name make one channel; no names do nothing', async () => {
    const server = await parley()
    const member = server.as('member')
    const name = server.unique('Twice')
    const { body } = await subscribe(member, [name, name.toLowerCase(), ` ${name}`])
    assert.equal(body.subscribed[member.userId].length, 1)
    const nothing = await subscribe(member, [])
    assert.deepEqual([nothing.status, nothing.body.subscribed, nothing.body.already_subscribed], [200, {}, {}])
  })

  test('private channels protect their history by default (SUB-FIELD-32)', async () => {
    const server = await parley()
    const member = server.as('member')
    const name = server.unique('Protected')
    await subscribe(member, [name], { invite_only: true })
    assert.equal((await named(member, name)).history_public_to_subscribers, false)
  })

  test('more than one statement looks up', async () => {
    const server = await parley()
    const principals = Array.from({ length: 15_000 }, (_, index) => index + 1000)
    const { status, body } = await subscribe(server.as('owner'), ['general'], { principals })
    assert.deepEqual([status, body.msg], [400, 'No such user'])
  })

  test('people are told by message who subscribed them to what, and nothing is posted in the channels (DIFF-AUTOMATED)', async () => {
    const server = await parley()
    const [user, other, third] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const bot = server.as('bot')
    const [own, odd] = [server.unique('Told'), server.unique('**Odd** > name')]
    await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: own }, { name: odd }] })
    const subscribe = (people: readonly { userId: number }[], more: object = {}) =>
      user.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: own }, { name: odd }],
        principals: people.map(({ userId }) => userId),
        ...more,
      })
    const direct = async (reader: ApiClient) => {
      const messages = await reader.newest([['is', 'dm']])
      return messages.map((one) => [one.sender_full_name, one.content, one.flags] as const)
    }
    assert.equal((await subscribe([user, other, bot])).new_subscription_messages_sent, true)
    const { full_name, user_id } = await user.must('GET', '/users/me')
    const [told, ...more] = await direct(other)
    assert.deepEqual([told?.[0], told?.[2], more], ['Notification Bot', [], []])
    assert.ok(
      told?.[1].startsWith(`@_**${full_name}|${user_id}** subscribed you to the channels #**${own}**, [#Odd name`),
    )
    for (const reader of [user, bot]) assert.deepEqual(await direct(reader), [])
    // Existing subscribers, and initial subscribers of new channels, get no message.
    await subscribe([other])
    await subscribe([third], { subscriptions: [{ name: server.unique('New') }] })
    assert.ok(
      !('new_subscription_messages_sent' in (await subscribe([third], { send_new_subscription_messages: false }))),
    )
    assert.equal((await direct(other)).length, 1)
    assert.deepEqual(await direct(third), [])
    assert.deepEqual(await user.newest([['channel', own]]), [])
  })

  test('new public channels are announced if the organization wants that, private ones are not; G11: without names that a guest may not know (DIFF-ANNOUNCED-PRIVATE)', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    const { name: place, id: stream_id } = await server.newChannel([user])
    const name = 'new_stream_announcements_stream_id'
    const unknown = await admin.patch('/realm', { [name]: 999_999 })
    assert.deepEqual([unknown.body.code, unknown.body.msg], ['BAD_REQUEST', 'Invalid channel ID'])
    const announced = async () => {
      const messages = await user.newest([{ operator: 'channel', operand: stream_id }])
      return messages.map((one) => [one.subject, one.content, one.flags])
    }
    const make = (more: object = {}) => {
      const [one, two] = [server.unique('One'), server.unique('Two')]
      const wanted = { subscriptions: [{ name: one }, { name: two }], announce: true, ...more }
      return user.must('POST', '/users/me/subscriptions', wanted).then(() => [one, two] as const)
    }
    await make()
    await admin.must('PATCH', '/realm', { [name]: stream_id })
    try {
      await make({ invite_only: true })
      await make({ announce: false })
      assert.deepEqual(await announced(), [])
      const { full_name, user_id } = await user.must('GET', '/users/me')
      const who = `@_**${full_name}|${user_id}** made`
      const [one, two] = await make()
      const third = server.unique('Third')
      await user.must('POST', '/channels/create', { name: third, subscribers: [], announce: true })
      assert.deepEqual(await announced(), [
        ['new channels', `${who} new channels: #**${one}**, #**${two}**.`, ['read']],
        ['new channels', `${who} a new channel: #**${third}**.`, ['read']],
      ])
      const subscribers = [server.as('guest').userId]
      const here = { subscriptions: [{ name: place }], principals: subscribers }
      await user.must('POST', '/users/me/subscriptions', here)
      await make()
      const known = server.unique('Known')
      for (const made of [
        { name: known, subscribers },
        { name: server.unique('X'), subscribers: [] },
      ])
        await user.must('POST', '/channels/create', { ...made, announce: true })
      assert.deepEqual(
        (await announced()).slice(-3).map((one: readonly unknown[]) => one[1]),
        [`${who} 2 new channels.`, `${who} a new channel: #**${known}**.`, `${who} a new channel.`],
      )
      await admin.must('DELETE', `/streams/${stream_id}`)
      await make()
    } finally {
      await admin.must('PATCH', '/realm', { [name]: -1 })
    }
  })

  test('new channels are announced in the empty topic of a channel that has no other', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    const { id } = await server.newChannel([user], { topics_policy: 'empty_topic_only' })
    await admin.must('PATCH', '/realm', { new_stream_announcements_stream_id: id })
    try {
      const made = { name: server.unique('New'), subscribers: [], announce: true }
      await user.must('POST', '/channels/create', made)
      const { topics } = await user.must('GET', `/users/me/${id}/topics`, { allow_empty_topic_name: true })
      assert.deepEqual(
        topics.map((one: { name: string }) => one.name),
        [''],
      )
    } finally {
      await admin.must('PATCH', '/realm', { new_stream_announcements_stream_id: -1 })
    }
  })

  test('a guest who joins one channel and leaves another with PATCH does neither', async () => {
    const guest = (await parley()).as('guest')
    const both = { add: [{ name: 'engineering' }], delete: ['general'] }
    const { body } = await guest.patch('/users/me/subscriptions', both)
    assert.deepEqual(body, { result: 'error', msg: 'Not allowed for guest users', code: 'BAD_REQUEST' })
    assert.ok(await named(guest, 'general'))
  })

  test('refuse too many subscriptions at once (DIFF-BULK)', async () => {
    const server = await parley()
    const names = Array.from({ length: 1000 }, (_, index) => `too many ${index}`)
    const principals = Array.from({ length: 21 }, (_, index) => index + 1)
    const { status, body } = await subscribe(server.as('owner'), names, { principals })
    assert.deepEqual(
      [status, body.msg],
      [400, 'Too many subscriptions at once (maximum 20000, principals times channels).'],
    )
    const listed = { direct_members: principals.slice(0, 3), direct_subgroups: [2, 3, 4] }
    const lists = await subscribe(server.as('owner'), names.slice(0, 834), {
      can_subscribe_group: listed,
      can_send_message_group: listed,
      can_resolve_topics_group: listed,
      can_administer_channel_group: listed,
    })
    assert.deepEqual(
      [lists.status, lists.body.msg],
      [400, 'The settings list too many users and groups (maximum 20000, times channels): make a user group of them.'],
    )
    const many = await subscribe(server.as('owner'), [], { principals: Array(20_001).fill(1) })
    assert.deepEqual([many.status, many.body.msg], [400, 'principals is too long (limit: 20000 items)'])
  })

  test('refuse more events than 32 MiB (DIFF-EVENT-BYTES)', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const names = Array.from({ length: 60 }, () => server.unique('wordy'))
    await subscribe(owner, names)
    const channels = (await owner.must('GET', '/streams')).streams.filter(({ name }: { name: string }) =>
      names.includes(name),
    )
    const ids = channels.map(({ stream_id: id }: { stream_id: number }) => id)
    const long = { rendered_description: 'x'.repeat(32_000) }
    await server.inDatabase(({ knex }) => knex('channel').whereIn('id', ids).update(long))
    const users = await Promise.all(Array.from({ length: 20 }, () => server.newUser()))
    // Users with other settings get events of their own.
    for (const [index, user] of users.entries()) {
      const settings = ['desktop', 'audible', 'push', 'email'].map((kind, bit) => [
        `enable_stream_${kind}_notifications`,
        ((index >> bit) & 1) === 1,
      ])
      await user.must('PATCH', '/settings', { ...Object.fromEntries(settings), wildcard_mentions_notify: index < 16 })
    }
    const principals = users.map(({ userId }) => userId)
    const refused = await subscribe(owner, names, { principals })
    assert.deepEqual([refused.status, refused.body.msg], [400, 'This is too much for one request. Divide it.'])
    assert.equal((await subscribe(owner, names, { principals: principals.slice(10) })).status, 200)
  })

  test('the maximum length of names is in characters, not bytes', async () => {
    const member = (await parley()).as('member')
    for (const name of ['ᾯ'.repeat(60), '😀'.repeat(60)]) {
      assert.equal((await subscribe(member, [name])).status, 200)
    }
  })
  test("the caller's colour is for the caller alone", async () => {
    const server = await parley()
    const [maker, other] = [await server.newUser(), await server.newUser()]
    const subscriptions = [{ name: server.unique('Coloured'), color: '#0BA' }]
    const principals = [maker.userId, other.userId]
    await maker.must('POST', '/users/me/subscriptions', { subscriptions, principals })
    const colorOf = async (user: ApiClient) =>
      (await user.must('GET', '/users/me/subscriptions')).subscriptions[0].color
    assert.equal(await colorOf(maker), '#00bbaa')
    assert.notEqual(await colorOf(other), '#00bbaa')
  })
})

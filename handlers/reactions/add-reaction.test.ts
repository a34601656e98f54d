import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley, startParley } from '../../server/testing.ts'

/** Sends to a channel to which everybody in the demo organization is subscribed. @returns the id of the message */
async function sent(client: ApiClient, to = 'general'): Promise<number> {
  const { id } = await client.must('POST', '/messages', { type: 'channel', to, topic: 'reactions', content: 'x' })
  return id
}

/** Returns the reactions of a message, and checks that they are the same in GET /messages. */
async function reactions(client: ApiClient, id: number): Promise<unknown[]> {
  const { message } = await client.must('GET', `/messages/${id}`)
  const { messages } = await client.must('GET', '/messages', { message_ids: [id] })
  assert.deepEqual(messages[0].reactions, message.reactions)
  return message.reactions
}

const watch = (client: ApiClient) =>
  client.must('POST', '/register', { event_types: ['reaction'], fetch_event_types: [] })

async function heard(client: ApiClient, queue: { queue_id: string; last_event_id: number }) {
  const { events } = await client.must('GET', '/events', { ...queue, dont_block: true })
  return events.map(({ id, ...event }: { id: number }) => event)
}

const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' }

onEachDatabase('POST /messages/{message_id}/reactions', (dialect) => {
  const parley = sharedParley(dialect)

  test('a reaction by name alone: code and type follow, oldest first (REACT-1 to 3, REACT-7, REACT-FIELD-1 to 4, 7)', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const id = await sent(member)
    assert.deepEqual(await reactions(member, id), [])
    const { status, body } = await other.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    assert.deepEqual([status, body], [200, { result: 'success', msg: '' }])
    await member.must('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await member.must('POST', `/messages/${id}/reactions`, octopus)
    await other.must('POST', `/messages/${id}/reactions`, { emoji_name: 'germany', emoji_code: '1f1e9-1f1ea' })
    assert.deepEqual(await reactions(member, id), [
      { ...octopus, user_id: other.userId },
      { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: member.userId },
      { ...octopus, user_id: member.userId },
      { emoji_name: 'germany', emoji_code: '1f1e9-1f1ea', reaction_type: 'unicode_emoji', user_id: other.userId },
    ])
  })

  test('reactions of a page: each at its message', async () => {
    const member = (await parley()).as('member')
    const ids = [await sent(member), await sent(member), await sent(member)]
    await member.must('POST', `/messages/${ids[2]}/reactions`, { emoji_name: 'octopus' })
    await member.must('POST', `/messages/${ids[0]}/reactions`, { emoji_name: 'tada' })
    const { messages } = await member.must('GET', '/messages', { message_ids: ids })
    const names = messages.map((message: { reactions: { emoji_name: string }[] }) =>
      message.reactions.map((reaction) => reaction.emoji_name),
    )
    assert.deepEqual(names, [['tada'], [], ['octopus']])
  })

  test('twice the same is refused, also under another name (REACT-9, LEVEL-193)', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const id = await sent(member)
    await member.must('POST', `/messages/${id}/reactions`, { emoji_name: 'thumbs_up' })
    for (const emoji of [{ emoji_name: 'thumbs_up' }, { emoji_name: '+1', emoji_code: '1f44d' }]) {
      const { status, body } = await member.post(`/messages/${id}/reactions`, emoji)
      const expected = { result: 'error', msg: 'Reaction already exists.', code: 'REACTION_ALREADY_EXISTS' }
      assert.deepEqual([status, body], [400, expected])
    }
    // A later reaction gets the name that the emoji already has on the message.
    await other.must('POST', `/messages/${id}/reactions`, { emoji_name: '+1' })
    assert.deepEqual(
      (await reactions(member, id)).map((reaction) => (reaction as { emoji_name: string }).emoji_name),
      ['thumbs_up', 'thumbs_up'],
    )
  })

  test('what is no emoji is refused, and nothing happens (REACT-2, REACT-5, REACT-8, REACT-12, ERR-8)', async () => {
    const member = (await parley()).as('member')
    const id = await sent(member)
    const queue = await watch(member)
    for (const [parameters, msg, code = 'BAD_REQUEST'] of [
      [{}, "Missing 'emoji_name' argument", 'REQUEST_VARIABLE_MISSING'],
      [{ emoji_name: 'no_such' }, "Emoji 'no_such' does not exist"],
      [{ emoji_name: '' }, "Emoji '' does not exist"],
      [{ ...octopus, emoji_code: 'zzz' }, 'Invalid emoji code.'],
      [{ ...octopus, emoji_code: '1f389' }, 'Invalid emoji name.'],
      [{ ...octopus, reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
      [{ ...octopus, reaction_type: 'gif' }, 'Invalid emoji type.'],
    ] as const) {
      const { status, body } = await member.post(`/messages/${id}/reactions`, parameters)
      assert.deepEqual([status, body.code, body.msg], [400, code, msg])
    }
    assert.deepEqual(await reactions(member, id), [])
    assert.deepEqual(await heard(member, queue), [])
  })

  test('a message that one may not read answers like none (REACT-12)', async () => {
    const server = await parley()
    const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
    const hidden = await sent(owner, 'leads')
    const open = await sent(owner, 'engineering')
    const direct = await owner.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'x' })
    for (const [client, id] of [
      [member, hidden],
      [member, direct.id],
      [guest, open],
      [member, 999_999],
      [member, 0],
    ] as const) {
      for (const method of ['POST', 'DELETE']) {
        const { status, body } = await client.request(method, `/messages/${id}/reactions`, octopus)
        assert.deepEqual(
          [status, body],
          [400, { result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' }],
          `${method} ${id}`,
        )
      }
    }
  })

  test('whoever may read the message no longer does not react to it', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const name = server.unique('Open')
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const ids = await Promise.all(Array.from({ length: 10 }, () => sent(owner, name)))
    const queue = await owner.must('POST', '/register', { event_types: ['reaction', 'realm_user'] })
    for (const id of ids) {
      await owner.must('PATCH', `/users/${user.userId}`, { role: 400 })
      await user.must('GET', '/users/me')
      await Promise.all([
        owner.must('PATCH', `/users/${user.userId}`, { role: 600 }),
        user.post(`/messages/${id}/reactions`, octopus),
      ])
    }
    let isMember = true
    for (const event of (await owner.must('GET', '/events', queue)).events) {
      if (event.type === 'realm_user') isMember = event.person.role === 400
      else assert.ok(isMember, `message ${event.message_id} got a reaction of a guest who cannot read it`)
    }
  })

  test('events to everybody who has the message in sight, and to nobody else (EV-OTHER-13)', async () => {
    const server = await parley()
    const [owner, member, late, guest] = [
      server.as('owner'),
      server.as('member'),
      server.as('member2'),
      server.as('guest'),
    ]
    const name = server.unique('Reactions')
    await owner.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      invite_only: true,
      history_public_to_subscribers: false,
      principals: [owner.userId, member.userId],
    })
    const id = await sent(owner, name)
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [late.userId] })
    const people = [owner, member, late, guest]
    const queues = await Promise.all(people.map(watch))
    await member.must('POST', `/messages/${id}/reactions`, octopus)
    await member.must('DELETE', `/messages/${id}/reactions`, octopus)
    const event = {
      type: 'reaction',
      message_id: id,
      ...octopus,
      user_id: member.userId,
      user: { user_id: member.userId, email: member.email, full_name: 'Max Member' },
    }
    const both = [
      { ...event, op: 'add' },
      { ...event, op: 'remove' },
    ]
    const seen = await Promise.all(people.map((one, index) => heard(one, queues[index])))
    assert.deepEqual(seen, [both, both, [], []])
  })

  test('who reacted without following the channel hears what others do there', async () => {
    const server = await parley()
    const [owner, visitor, other] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const name = server.unique('Open')
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const id = await sent(owner, name)
    const queues = [await watch(visitor), await watch(other)]
    await visitor.must('POST', `/messages/${id}/reactions`, octopus)
    await owner.must('POST', `/messages/${id}/reactions`, octopus)
    await visitor.must('DELETE', `/messages/${id}/reactions`, octopus)
    await owner.must('DELETE', `/messages/${id}/reactions`, octopus)
    const steps = (events: { op: string; user_id: number }[]) => events.map(({ op, user_id }) => [op, user_id])
    assert.deepEqual(steps(await heard(visitor, queues[0])), [
      ['add', visitor.userId],
      ['add', owner.userId],
      ['remove', visitor.userId],
    ])
    assert.deepEqual(await heard(other, queues[1]), [])
  })

  test('direct messages: both sides', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('guest')]
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [other.userId], content: 'x' })
    const queue = await watch(member)
    await other.must('POST', `/messages/${id}/reactions`, octopus)
    assert.deepEqual(
      (await heard(member, queue)).map((event: { op: string; user_id: number }) => [event.op, event.user_id]),
      [['add', other.userId]],
    )
    assert.deepEqual(await reactions(member, id), [{ ...octopus, user_id: other.userId }])
  })

  test('the extra emoji: either word goes in, the chosen one comes out (REACT-FIELD-3, 6, 8; NOTE-13; DIFF-EXTRA-EMOJI)', async () => {
    for (const [wireValues, word] of [
      ['contract', 'service_extra_emoji'],
      ['clients', 'zulip_extra_emoji'],
    ] as const) {
      const server = await startParley(dialect, { wireValues })
      const member = server.as('member')
      const queue = await watch(member)
      const expected = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: word }
      for (const given of [undefined, 'service_extra_emoji', 'zulip_extra_emoji']) {
        const id = await sent(member)
        const emoji = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: given }
        await member.must('POST', `/messages/${id}/reactions`, emoji)
        assert.deepEqual(await reactions(member, id), [{ ...expected, user_id: member.userId }])
        await member.must('DELETE', `/messages/${id}/reactions`, { ...emoji, reaction_type: given ?? word })
        assert.deepEqual(await reactions(member, id), [])
      }
      const words = (await heard(member, queue)).map((event: { reaction_type: string }) => event.reaction_type)
      assert.deepEqual(words, Array(6).fill(word))
      await server.stop()
    }
  })

  test('custom emoji and archived channels (REACT-6, REACT-10, REACT-11, REACT-FIELD-5)', async (t) => {
    const server = await startParley(dialect)
    t.after(() => server.stop())
    const member = server.as('member')
    assert.deepEqual((await member.must('GET', '/realm/emoji')).emoji, {})
    const row = { author_id: member.userId, is_deactivated: false, is_animated: false }
    await server.inDatabase(async ({ knex }) => {
      await knex('custom_emoji').insert({ ...row, id: 7, name: 'octopus', file_name: '7.png' })
      await knex('custom_emoji').insert({ ...row, id: 8, name: 'moving', file_name: '8.gif', is_animated: true })
    })
    const custom = {
      7: {
        id: '7',
        name: 'octopus',
        source_url: '/user_avatars/emoji/images/7.png',
        still_url: null,
        deactivated: false,
        author_id: member.userId,
      },
      8: {
        id: '8',
        name: 'moving',
        source_url: '/user_avatars/emoji/images/8.gif',
        still_url: '/user_avatars/emoji/images/still/8.png',
        deactivated: false,
        author_id: member.userId,
      },
    }
    assert.deepEqual((await member.must('GET', '/realm/emoji')).emoji, custom)
    const state = await member.must('POST', '/register', { fetch_event_types: ['realm_emoji'] })
    assert.deepEqual(state.realm_emoji, custom)

    const id = await sent(member)
    await member.must('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' })
    await member.must('POST', `/messages/${id}/reactions`, octopus)
    const own = { emoji_name: 'octopus', emoji_code: '7', reaction_type: 'realm_emoji' }
    assert.deepEqual(await reactions(member, id), [
      { ...own, user_id: member.userId },
      { ...octopus, user_id: member.userId },
    ])
    await server.inDatabase(({ knex }) => knex('custom_emoji').where('id', 7).update({ is_deactivated: true }))
    const refused = await server.as('member2').post(`/messages/${await sent(member)}/reactions`, own)
    assert.equal(refused.body.msg, 'This custom emoji has been deactivated.')
    await server.as('member2').must('POST', `/messages/${id}/reactions`, own)
    await member.must('DELETE', `/messages/${id}/reactions`, { emoji_code: '7', reaction_type: 'realm_emoji' })
    assert.deepEqual(await reactions(member, id), [
      { ...octopus, user_id: member.userId },
      { ...own, user_id: server.as('member2').userId },
    ])

    await server.inDatabase(({ knex }) => knex('channel').where('name', 'general').update({ is_archived: true }))
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await member.request(method, `/messages/${id}/reactions`, octopus)
      assert.deepEqual(
        [status, body.code, body.msg],
        [400, 'BAD_REQUEST', 'The channel is archived: nothing in it can change'],
      )
    }
  })
})

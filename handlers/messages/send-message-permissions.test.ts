import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import { type ApiClient, onEachDatabase, sharedParley, startParley, type TestServer } from '../../server/testing.ts'

const NOBODY = SYSTEM_GROUP_ID['role:nobody']
const MODERATORS = SYSTEM_GROUP_ID['role:moderators']

/** Creates a channel of these people with its own group settings. */
async function newChannel(server: TestServer, people: readonly ApiClient[], groups: object): Promise<string> {
  const name = server.unique('Permissions')
  await people[0]?.must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map((one) => one.userId),
  })
  await server.inDatabase(async (session) =>
    session.run('update channel set group_settings = ? where name = ?', [JSON.stringify(groups), name]),
  )
  return name
}

const send = (client: ApiClient, to: string, topic = 'p') =>
  client.post('/messages', { type: 'channel', to, topic, content: 'x' })
const sendDirect = (client: ApiClient, ...to: ApiClient[]) =>
  client.post('/messages', { type: 'direct', to: to.map((one) => one.userId), content: 'x' })

onEachDatabase('who may send what', (dialect) => {
  const parley = sharedParley(dialect)

  test('can_send_message_group: its members, and bots of theirs', async () => {
    const server = await parley()
    const [owner, moderator, member, bot] = ['owner', 'moderator', 'member', 'bot'].map((key) => server.as(key)) as [
      ApiClient,
      ApiClient,
      ApiClient,
      ApiClient,
    ]
    const to = await newChannel(server, [owner, moderator, member, bot], { can_send_message_group: MODERATORS })
    assert.equal((await send(moderator, to)).status, 200)
    assert.equal((await send(bot, to)).status, 200, 'the bot of an owner')
    const { status, body } = await send(member, to)
    assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
    assert.equal(body.msg, `Not authorized to send to channel '${to}'`)
    const one = { direct_members: [member.userId], direct_subgroups: [] }
    const theirs = await newChannel(server, [owner, member], { can_send_message_group: one })
    assert.equal((await send(member, theirs)).status, 200)
    assert.equal((await send(owner, theirs)).status, 400)
  })

  test('a bot sends wherever its owner can, and nowhere else', async () => {
    const server = await parley()
    const [owner, moderator, bot] = [server.as('owner'), server.as('moderator'), server.as('bot')]
    const hidden = async (...people: ApiClient[]): Promise<string> => {
      const name = server.unique('Hidden')
      const principals = people.map((one) => one.userId)
      const values = { subscriptions: [{ name }], invite_only: true, principals }
      await people[0]?.must('POST', '/users/me/subscriptions', values)
      return name
    }
    const theirs = await hidden(owner)
    const { status, body } = await send(bot, theirs)
    assert.equal(status, 200, "its owner's channel")
    const { message } = await owner.must('GET', `/messages/${body.id}`)
    assert.deepEqual([message.display_recipient, message.sender_id], [theirs, bot.userId])
    const foreign = await hidden(moderator)
    assert.equal((await send(bot, foreign)).body.code, 'STREAM_DOES_NOT_EXIST')
    const refusal = `Not authorized to send to channel '${foreign}'`
    assert.deepEqual(
      [(await send(owner, foreign)).body.code, (await send(owner, foreign)).body.msg],
      ['BAD_REQUEST', refusal],
      'administrators know of every channel',
    )
  })

  test('can_create_topic_group: others send to topics that exist', async () => {
    const server = await parley()
    const [owner, moderator, member] = [server.as('owner'), server.as('moderator'), server.as('member')]
    const to = await newChannel(server, [owner, moderator, member], { can_create_topic_group: MODERATORS })
    const refused = await send(member, to, 'new')
    assert.equal(refused.body.msg, 'You do not have permission to create new topics in this channel.')
    const { body: first } = await send(moderator, to, 'new')
    assert.equal((await send(member, to, 'NEW')).status, 200, 'however spelt')
    const { messages } = await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: to }],
    })
    for (const { id } of messages) await owner.must('DELETE', `/messages/${id}`)
    assert.ok(messages.some((one: { id: number }) => one.id === first.id))
    assert.equal((await send(member, to, 'new')).status, 400, 'an empty topic is new again')
  })

  test('direct messages where they are disabled: to bots, by bots and to oneself only', async () => {
    const server = await startParley(dialect, {}, { direct_message_permission_group: NOBODY })
    try {
      const [member, other, bot] = [server.as('member'), server.as('member2'), server.as('bot')]
      const { status, body } = await sendDirect(member, other)
      assert.equal(status, 400)
      assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'Direct messages are disabled in this organization.'])
      for (const answer of [
        await sendDirect(member, bot),
        await sendDirect(bot, member),
        await sendDirect(member, member),
      ]) {
        assert.equal(answer.status, 200)
      }
      assert.equal((await sendDirect(member, bot, other)).status, 400)
    } finally {
      await server.stop()
    }
  })

  test('direct messages need somebody who can authorize them', async () => {
    const server = await startParley(dialect, {}, { direct_message_permission_group: MODERATORS })
    try {
      const [member, other, moderator] = [server.as('member'), server.as('member2'), server.as('moderator')]
      const { body } = await sendDirect(member, other)
      assert.equal(body.msg, 'This conversation does not include any users who can authorize it.')
      assert.equal((await sendDirect(member, other, moderator)).status, 200)
      assert.equal((await sendDirect(moderator, member)).status, 200)
    } finally {
      await server.stop()
    }
  })

  test('conversations that others may begin can be answered', async () => {
    const server = await startParley(dialect, {}, { direct_message_initiator_group: MODERATORS })
    try {
      const [member, moderator] = [server.as('member'), server.as('moderator')]
      const refused = await sendDirect(member, moderator)
      assert.equal(refused.body.msg, 'You do not have permission to initiate direct message conversations.')
      const { body } = await sendDirect(moderator, member)
      assert.equal((await sendDirect(member, moderator)).status, 200)
      assert.ok(body.id > 0)
    } finally {
      await server.stop()
    }
  })

  test('the empty topic where the organization wants topics, unless the channel says otherwise', async () => {
    const server = await startParley(dialect, {}, { topics_policy: 'disable_empty_topic' })
    try {
      const member = server.as('member')
      for (const topic of ['', 'general chat', '(no topic)']) {
        const { status, body } = await send(member, 'general', topic)
        assert.equal(status, 400)
        assert.equal(body.empty_topic_display_name, 'general chat')
      }
      await server.inDatabase(async (session) =>
        session.run("update channel set topics_policy = 'allow_empty_topic' where name = 'general'"),
      )
      assert.equal((await send(member, 'general', '')).status, 200)
      await server.inDatabase(async (session) =>
        session.run("update channel set topics_policy = 'empty_topic_only' where name = 'general'"),
      )
      assert.equal((await send(member, 'general', '')).status, 200)
      assert.equal((await send(member, 'general', 'named')).body.empty_topic_display_name, 'general chat')
    } finally {
      await server.stop()
    }
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import { type ApiClient, onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'

const NOBODY = SYSTEM_GROUP_ID['role:nobody']
const MODERATORS = SYSTEM_GROUP_ID['role:moderators']
const EVERYONE = SYSTEM_GROUP_ID['role:everyone']

const send = (client: ApiClient, to: string, topic = 'p') =>
  client.post('/messages', { type: 'channel', to, topic, content: 'x' })

onEachDatabase('who may send where', (dialect) => {
  const parley = sharedParley(dialect)

  test('a bot sends wherever its owner may, and administrators are told where it may not', async () => {
    const server = await parley()
    const [owner, moderator, bot] = [server.as('owner'), server.as('moderator'), server.as('bot')]
    const hidden = async (...people: ApiClient[]) => (await server.newChannel(people, { invite_only: true })).name
    const theirs = await hidden(owner)
    const { status, body } = await send(bot, theirs)
    assert.equal(status, 200, "its owner's channel")
    const { message } = await owner.must('GET', `/messages/${body.id}`)
    assert.deepEqual([message.display_recipient, message.sender_id], [theirs, bot.userId])
    const foreign = await hidden(moderator)
    const refusal = `Not authorized to send to channel '${foreign}'`
    assert.deepEqual(
      [(await send(owner, foreign)).body.code, (await send(owner, foreign)).body.msg],
      ['BAD_REQUEST', refusal],
      'administrators know of every channel',
    )
  })

  test('a group is mentioned by those whom its setting allows, in edits too, and silently by everybody', async () => {
    const server = await parley()
    const [owner, member] = [server.as('owner'), server.as('member')]
    const name = server.unique('quiet')
    const can_mention_group = { direct_members: [owner.userId], direct_subgroups: [] }
    const group = { name, description: '', members: [owner.userId, member.userId], can_mention_group }
    await owner.must('POST', '/user_groups/create', group)
    const sent = { type: 'direct', to: [owner.userId, member.userId], content: `@_*${name}*` }
    const { id } = await member.must('POST', '/messages', sent)
    const flags = async (of: number) => (await member.must('GET', `/messages/${of}`)).message.flags
    assert.deepEqual(await flags(id), ['read'])
    const content = `@*${name}*`
    for (const { body } of [
      await member.post('/messages', { ...sent, content }),
      await member.patch(`/messages/${id}`, { content }),
    ])
      assert.equal(body.msg, `You are not allowed to mention user group '${name}'.`)
    const loud = await owner.must('POST', '/messages', { ...sent, content })
    assert.deepEqual(await flags(loud.id), ['mentioned'])
  })

  test('people who may post share that right with their bots, and a topic without messages counts as new again', async () => {
    const server = await parley()
    const [owner, member, bot] = [server.as('owner'), server.as('member'), server.as('bot')]
    const theirs = { direct_members: [owner.userId], direct_subgroups: [] }
    const { name: to } = await server.newChannel([owner, member, bot], { can_create_topic_group: theirs })
    const refused = 'You do not have permission to create new topics in this channel.'
    assert.equal((await send(member, to, 'new')).body.msg, refused)
    for (const client of [owner, member]) {
      assert.equal((await send(client, to, 'NEW')).status, 200)
    }
    for (const { id } of await member.newest([['channel', to]])) await owner.must('DELETE', `/messages/${id}`)
    assert.equal((await send(member, to, 'new')).body.msg, refused)
    const { name: hushed } = await server.newChannel([owner, member, bot], { can_send_message_group: theirs })
    assert.equal((await send(bot, hushed)).status, 200, 'the bot of an owner')
    assert.equal((await send(member, hushed)).body.msg, `Not authorized to send to channel '${hushed}'`)
  })

  test('a topic of a hidden history counts as new (SEC-HIDDEN-1)', async () => {
    const server = await parley()
    const [owner, late] = [server.as('owner'), await server.newUser()]
    const can_create_topic_group = { direct_members: [owner.userId], direct_subgroups: [] }
    const hidden = { invite_only: true, history_public_to_subscribers: false }
    const channel = await server.newChannel([owner], { ...hidden, can_create_topic_group })
    await send(owner, channel.name, 'before')
    const principals = [late.userId]
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals })
    await send(owner, channel.name, 'since')
    const statuses = async () => {
      const answers = []
      for (const topic of ['before', 'never', 'Since']) answers.push(await send(late, channel.name, topic))
      return answers.map(({ status, body }) => [status, body.automatic_new_visibility_policy])
    }
    assert.deepEqual(await statuses(), [
      [400, undefined],
      [400, undefined],
      [200, undefined],
    ])
    await owner.must('PATCH', `/streams/${channel.id}`, { can_create_topic_group: { new: EVERYONE } })
    assert.deepEqual(await statuses(), [
      [200, 3],
      [200, 3],
      [200, undefined],
    ])
  })

  test('only some people may mention a group of which 1,001 members receive the message, in edits too (DIFF-MENTIONS)', async (t) => {
    const server = await ownParley(t, dialect)
    const [owner, member] = [server.as('owner'), server.as('member')]
    const { name: to } = await server.newChannel([owner, member])
    const { name: small } = await server.newChannel([owner, member])
    const members: number[] = []
    await server.inDatabase(async ({ knex }) => {
      const { id: _, ...row } = await knex('user').where({ id: member.userId }).first()
      for (let number = 0; number < 1001; number++) {
        const email = `${number}@many.example`
        const own = { email, email_key: email, full_name_key: email, api_key_hash: email }
        members.push(...(await knex('user').insert({ ...row, ...own })))
      }
    })
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }], principals: members })
    const [content, topic] = ['Hear, @*crowd*!', 'p']
    await owner.must('POST', '/user_groups/create', { name: 'crowd', description: '', members })
    const say = (from: ApiClient, channel: string) =>
      from.post('/messages', { type: 'channel', to: channel, topic, content })
    const refusal = 'You are not allowed to mention more than 1000 people.'
    assert.equal((await say(member, to)).body.msg, refusal)
    const { id } = (await send(member, to)).body
    assert.equal((await member.patch(`/messages/${id}`, { content })).body.msg, refusal)
    assert.equal((await say(member, small)).body.msg, '', 'only recipients count')
    assert.equal((await say(owner, to)).body.msg, '')
    const principals = [members.at(-1)]
    await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: [to], principals })
    assert.equal((await say(member, to)).body.msg, '')
  })

  test('direct messages: who may authorize and start them', async (t) => {
    const server = await ownParley(t, dialect)
    const [member, other, moderator, bot] = ['member', 'member2', 'moderator', 'bot'].map((key) => server.as(key)) as [
      ApiClient,
      ApiClient,
      ApiClient,
      ApiClient,
    ]
    const said = async (from: ApiClient, ...to: ApiClient[]): Promise<string> =>
      (await from.post('/messages', { type: 'direct', to: to.map((one) => one.userId), content: 'x' })).body.msg
    const set = (setting: string, group: number) =>
      server.as('owner').must('PATCH', '/realm', { [setting]: { new: group } })
    await set('direct_message_permission_group', NOBODY)
    assert.equal(await said(member, other), 'Direct messages are disabled in this organization.')
    assert.notEqual(await said(member, bot, other), '')
    assert.deepEqual([await said(member, bot), await said(bot, member), await said(member, member)], ['', '', ''])
    await set('direct_message_permission_group', MODERATORS)
    assert.equal(await said(member, other), 'This conversation does not include any users who can authorize it.')
    assert.deepEqual([await said(member, other, moderator), await said(moderator, other)], ['', ''])
    await set('direct_message_permission_group', EVERYONE)
    await set('direct_message_initiator_group', MODERATORS)
    assert.equal(await said(member, moderator), 'You do not have permission to initiate direct message conversations.')
    assert.deepEqual([await said(moderator, member), await said(member, moderator)], ['', ''], 'and an answer')
  })
})

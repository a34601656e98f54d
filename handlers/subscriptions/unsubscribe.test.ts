import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

const register = (client: ApiClient, types: readonly string[] = ['stream', 'subscription']) =>
  client.listen(types, { client_capabilities: { notification_settings_null: true } })
const kinds = (events: readonly Answer['body'][]) => events.map((event) => `${event.type} ${event.op}`)

onEachDatabase('DELETE /users/me/subscriptions', (dialect) => {
  const parley = sharedParley(dialect)

  const leave = (client: ApiClient, names: readonly string[], parameters: Parameters = {}) =>
    client.delete('/users/me/subscriptions', { subscriptions: names, ...parameters })

  test('the owner of a bot can unsubscribe it', async () => {
    const server = await parley()
    const [owner, bot] = [server.as('owner'), server.as('bot')]
    const { name } = await server.newChannel([server.as('member'), bot])
    assert.deepEqual((await leave(owner, [name], { principals: [bot.userId] })).body.removed, [name])
  })

  test('a user who leaves alone, under any spelling of their name, gets no event about themselves', async () => {
    const server = await parley()
    const member = server.as('member')
    const { name } = await server.newChannel([member])
    const events = await register(member)
    await leave(member, [name.toUpperCase()])
    assert.deepEqual(kinds(await events()), ['subscription remove'])
  })

  test('unread messages of all the channels are searched and announced once', async () => {
    const server = await parley()
    const [sender, user] = [server.as('member'), await server.newUser()]
    const names = [1, 2, 3].map((number) => `${number} of ${user.userId}`)
    for (const name of names) {
      const principals = [sender.userId, user.userId]
      await sender.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
    }
    const ids: number[] = []
    for (const name of names) ids.push(await sender.send(name))
    const events = await register(user, ['update_message_flags'])
    assert.deepEqual((await leave(user, names.slice(1))).body.removed, names.slice(1))
    assert.deepEqual(
      (await events()).map((event) => [event.flag, event.op, event.messages]),
      [['read', 'add', ids.slice(1)]],
    )
    const { unread_msgs } = await user.must('POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    assert.deepEqual(
      unread_msgs.streams.flatMap((one: Answer['body']) => one.unread_message_ids),
      ids.slice(0, 1),
    )
  })

  test('a private channel disappears, except for administrators and its creator', async () => {
    const server = await parley()
    const [maker, other, admin] = [server.as('member'), server.as('member2'), server.as('admin')]
    const { name } = await server.newChannel([maker, other, admin], { invite_only: true })
    const queues = [await register(maker), await register(other), await register(admin)]
    await leave(admin, [name], { principals: [maker.userId, other.userId, admin.userId] })
    const [ofMaker, ofOther, ofAdmin] = await Promise.all(queues.map(async (events) => kinds(await events())))
    assert.deepEqual(ofMaker, ['subscription remove', 'subscription peer_remove'])
    assert.deepEqual(ofOther, ['subscription remove', 'stream delete'])
    assert.deepEqual(ofAdmin, ['subscription remove', 'subscription peer_remove'])
  })

  test('a returning subscriber has their settings and received messages, and misses what was sent meanwhile', async () => {
    const server = await parley()
    const [sender, user] = [server.as('member'), await server.newUser()]
    const { name, id: stream_id } = await server.newChannel([sender, user], { invite_only: true })
    await user.must('PATCH', `/users/me/subscriptions/${stream_id}`, { property: 'color', value: '#0000ff' })
    const received = await sender.send(name)
    await leave(user, [name])
    const missed = await sender.send(name)
    await sender.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [user.userId] })
    const [own] = (await user.must('GET', '/users/me/subscriptions')).subscriptions
    assert.deepEqual([own.name, own.color], [name, '#0000ff'])
    await user.must('GET', `/messages/${received}`)
    assert.equal((await user.get(`/messages/${missed}`)).status, 400)
  })
})

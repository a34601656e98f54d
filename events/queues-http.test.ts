import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../server/testing.ts'

onEachDatabase('event queues over HTTP', (dialect) => {
  const parley = sharedParley(dialect, { heartbeatSeconds: 0.05 })

  test('filter messages by narrow, and everything by type', async () => {
    const server = await parley()
    const [sender, viewer] = [server.as('owner'), server.as('member')]
    const name = server.unique('filtered')
    const register = async (parameters: object) =>
      (await viewer.must('POST', '/register', { fetch_event_types: [], ...parameters })).queue_id
    const subscribe = { subscriptions: [{ name }], principals: [sender.userId, viewer.userId] }
    const expected: [object, string[]][] = [
      [{}, ['stream create', 'subscription add', 'one', 'two', 'user_topic undefined', 'three']],
      [{ event_types: ['message'] }, ['one', 'two', 'three']],
      [{ event_types: ['stream', 'realm_user'] }, ['stream create']],
      [{ event_types: ['message'], narrow: [['channel', name.toUpperCase()]] }, ['one', 'two']],
      [{ event_types: ['message'], narrow: [['topic', 'SOUP']] }, ['one']],
      [{ event_types: ['message'], narrow: [{ operator: 'sender', operand: sender.email }] }, ['one', 'two', 'three']],
      [{ event_types: ['message'], narrow: [['is', 'dm']] }, ['three']],
      [{ event_types: ['message'], narrow: [['is', 'mentioned']] }, ['two']],
      [{ event_types: ['message'], narrow: [['is', 'mentioned']].concat([['topic', 'soup']]) }, []],
      [{ event_types: ['subscription'], narrow: [['topic', 'nothing']] }, ['subscription add']],
    ]
    const ids = await Promise.all(expected.map(([parameters]) => register(parameters)))
    await sender.must('POST', '/users/me/subscriptions', subscribe)
    await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 'soup', content: 'one' })
    const mention = `@**|${viewer.userId}** two`
    await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 'salad', content: mention })
    await sender.must('POST', '/messages', { type: 'direct', to: [viewer.userId], content: 'three' })
    for (const [index, [parameters, words]] of expected.entries()) {
      const { events } = await viewer.must('GET', '/events', { queue_id: ids[index], dont_block: true })
      const said = events.map((event: { type: string; op?: string; message?: { content: string } }) =>
        event.message ? event.message.content.split(' ').at(-1) : `${event.type} ${event.op}`,
      )
      assert.deepEqual(said, words, JSON.stringify(parameters))
    }
  })

  test('show public channels to those who ask for all, and private ones to nobody else', async () => {
    const server = await parley()
    const [sender, viewer] = [server.as('owner'), server.as('member2')]
    const parameters = { fetch_event_types: [], event_types: ['message'] }
    const { queue_id: all } = await viewer.must('POST', '/register', { ...parameters, all_public_streams: true })
    const { queue_id: own } = await viewer.must('POST', '/register', parameters)
    for (const isPrivate of [false, true]) {
      const name = server.unique(isPrivate ? 'closed' : 'open')
      await sender.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: isPrivate })
      await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 'x', content: name })
    }
    const { events } = await viewer.must('GET', '/events', { queue_id: all, dont_block: true })
    assert.equal(events.length, 1)
    assert.match(events[0].message.content, /^open/)
    assert.deepEqual(events[0].flags, ['read', 'historical'])
    assert.deepEqual((await viewer.must('GET', '/events', { queue_id: own, dont_block: true })).events, [])
    const asGuest = await server.as('guest').post('/register', { ...parameters, all_public_streams: true })
    assert.equal(asGuest.status, 400)
  })

  test('answer at once with dont_block, and with a heartbeat without', async () => {
    const server = await parley()
    const viewer = server.as('moderator')
    const { queue_id: id, last_event_id: last } = await viewer.must('POST', '/register', { fetch_event_types: [] })
    assert.deepEqual((await viewer.must('GET', '/events', { queue_id: id, dont_block: true })).events, [])
    const { events } = await viewer.must('GET', '/events', { queue_id: id, last_event_id: last })
    assert.deepEqual(
      events.map((event: { type: string }) => event.type),
      ['heartbeat'],
    )
    assert(events[0].id > last)
    const others = await server.as('guest').get('/events', { queue_id: id, dont_block: true })
    const unknown = await server.as('guest').get('/events', { queue_id: 'unknown', dont_block: true })
    assert.deepEqual([others.status, others.body.code, others.body.queue_id], [400, 'BAD_EVENT_QUEUE_ID', id])
    assert.equal(others.body.msg.replace(id, 'unknown'), unknown.body.msg)
    await viewer.must('DELETE', '/events', { queue_id: id })
    assert.equal((await viewer.get('/events', { queue_id: id })).body.code, 'BAD_EVENT_QUEUE_ID')
  })
})

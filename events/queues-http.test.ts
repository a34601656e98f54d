import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../server/testing.ts'

onEachDatabase('event queues over HTTP', (dialect) => {
  const parley = sharedParley(dialect)

  test('of all public channels show messages without a subscription as read, and guests have none', async () => {
    const server = await parley()
    const [sender, viewer] = [server.as('owner'), server.as('member2')]
    const wanted = { fetch_event_types: [], event_types: ['message'], all_public_streams: true }
    const { queue_id } = await viewer.must('POST', '/register', wanted)
    const ask = () => viewer.must('GET', '/events', { queue_id, dont_block: true })
    assert.deepEqual((await ask()).events, [], 'at once')
    const name = server.unique('open')
    await sender.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    await sender.must('POST', '/messages', { type: 'channel', to: name, topic: 'x', content: 'x' })
    const { events } = await ask()
    assert.deepEqual(
      events.map(({ flags }: { flags: string[] }) => flags),
      [['read', 'historical']],
    )
    assert.equal((await server.as('guest').post('/register', wanted)).status, 400)
  })
})

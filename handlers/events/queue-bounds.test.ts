import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('bounds of event queues', (dialect) => {
  const parley = sharedParley(dialect)
  const register = (client: ApiClient, parameters: Record<string, unknown>) =>
    client.must('POST', '/register', parameters)

  test('accept 200 event types, including unknown ones', async () => {
    const member = (await parley()).as('member')
    const types = Array.from({ length: 199 }, (_, index) => `type ${index}`)
    const unknown = { event_types: [...types, 'message'], fetch_event_types: [] }
    const { queue_id } = await register(member, unknown)
    await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'x' })
    assert.equal((await member.must('GET', '/events', { queue_id, dont_block: true })).events.length, 1)
  })

  test('accept narrows of 2 KiB (DIFF-QUEUE-BOUNDS)', async () => {
    const member = (await parley()).as('member')
    const narrow = Array.from({ length: 10 }, () => ['topic', 'x'.repeat(250)])
    const { status, body } = await member.post('/register', { event_types: ['message'], narrow })
    assert.deepEqual([status, body.msg], [400, 'narrow is too long'])
    await register(member, { event_types: ['message'], narrow: narrow.slice(3) })
  })

  test('a user has at most 1,000, and may register another after deleting one (DIFF-QUEUE-BOUNDS)', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const parameters = { event_types: ['message'], fetch_event_types: [] }
    let last = ''
    for (let made = 0; made < 1000; made += 50) {
      const queues = await Promise.all(Array.from({ length: 50 }, () => register(user, parameters)))
      last = queues[0].queue_id
    }
    for (const { status, body } of [await user.post('/register', parameters), await user.get('/events', parameters)]) {
      assert.deepEqual(
        [status, body.code, body.msg],
        [400, 'BAD_REQUEST', 'Too many event queues (maximum 1000); delete some with DELETE /events'],
      )
    }
    await register(other, parameters)
    await user.must('DELETE', '/events', { queue_id: last })
    // Room for one queue and many concurrent requests: queues that are being created count, too.
    const answers = await Promise.all(Array.from({ length: 10 }, () => user.post('/register', parameters)))
    const made = answers.filter(({ status }) => status === 200)
    assert.equal(made.length, 1)
    await user.must('DELETE', '/events', { queue_id: made[0]?.body.queue_id })
    await register(user, parameters)
    assert.equal((await user.post('/register', parameters)).status, 400)
  })
})

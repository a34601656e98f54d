import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /events', (dialect) => {
  const parley = sharedParley(dialect)

  test('registers a queue if a parameter of POST /register is sent, and only then (DIFF-POLL-WITHOUT-QUEUE, DIFF-QUEUE-ID)', async () => {
    const member = (await parley()).as('member')
    const { events, queue_id } = await member.must('GET', '/events', { event_types: ['message'], apply_markdown: true })
    assert.deepEqual(events, [])
    await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: '**x**' })
    const next = await member.must('GET', '/events', { queue_id, dont_block: true })
    assert.equal(next.queue_id, queue_id)
    assert.deepEqual(
      next.events.map((event: { message: { content: string } }) => event.message.content),
      ['<p><strong>x</strong></p>'],
    )
    for (const parameters of [{}, { dont_block: true }, { last_event_id: 5 }, { foo: 1 }]) {
      const { status, body } = await member.get('/events', parameters)
      assert.deepEqual([status, body.code, body.var_name], [400, 'REQUEST_VARIABLE_MISSING', 'queue_id'])
    }
  })

  test('refuse an unknown queue, and an event of another one', async () => {
    const member = (await parley()).as('member')
    const { queue_id } = await member.must('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
    for (const id of ['unknown', '', `${queue_id} `]) {
      for (const method of ['GET', 'DELETE']) {
        const { body } = await member.request(method, '/events', { queue_id: id })
        const msg = `Bad event queue ID: ${id}`
        assert.deepEqual(body, { result: 'error', msg, code: 'BAD_EVENT_QUEUE_ID', queue_id: id })
      }
    }
    const { body } = await member.get('/events', { queue_id, last_event_id: 9_007_199_254_740_991, dont_block: true })
    assert.match(body.msg, /was not in this queue$/)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /events', (dialect) => {
  /** A server that sends heartbeats after a few hundredths of a second. */
  const parley = sharedParley(dialect, { heartbeatSeconds: 0.05 })
  const patient = sharedParley(dialect)

  const register = (client: ApiClient, parameters: Record<string, unknown> = {}) =>
    client.must('POST', '/register', { event_types: ['message'], fetch_event_types: [], ...parameters })
  const note = async (client: ApiClient, content = 'x') =>
    (await client.must('POST', '/messages', { type: 'direct', to: [client.userId], content })).id
  const idsOf = (events: { id: number }[]) => events.map((event) => event.id)

  test('events after last_event_id, ascending, once acknowledged never again (EVENTS-2, 3, 5, 6, 8; EV-1 to EV-4; DIFF-QUEUE-ID)', async () => {
    const member = (await patient()).as('member')
    const { queue_id, last_event_id } = await register(member)
    const sent = [await note(member), await note(member), await note(member)]
    const poll = async (last: number) =>
      member.must('GET', '/events', { queue_id, last_event_id: last, dont_block: true })
    const first = await poll(last_event_id)
    assert.equal(first.queue_id, queue_id)
    assert.deepEqual(
      first.events.map((event: { message: { id: number } }) => event.message.id),
      sent,
    )
    const ids = idsOf(first.events)
    assert.ok(ids.every((id, index) => Number.isInteger(id) && id > (ids[index - 1] ?? last_event_id)))
    assert.deepEqual(idsOf((await poll(last_event_id)).events), ids, 'not acknowledged: again')
    assert.deepEqual(idsOf((await poll(ids[0] ?? 0)).events), ids.slice(1))
    assert.deepEqual((await poll(ids[2] ?? 0)).events, [])
    const { body, status } = await member.get('/events', { queue_id, last_event_id: ids[0], dont_block: true })
    assert.deepEqual(
      [status, body.code, body.msg],
      [400, 'BAD_REQUEST', `An event newer than ${ids[0]} has already been pruned!`],
    )
  })

  test('without last_event_id everything that is still there (NOTE-2)', async () => {
    const member = (await patient()).as('member')
    const { queue_id } = await register(member)
    await note(member)
    const { events } = await member.must('GET', '/events', { queue_id, dont_block: true })
    assert.equal(events.length, 1)
    assert.equal(
      (await member.must('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })).events.length,
      1,
    )
  })

  test('dont_block answers an empty queue at once, with nothing (EVENTS-7)', async () => {
    const member = (await patient()).as('member')
    const { queue_id, last_event_id } = await register(member)
    const { events } = await member.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    assert.deepEqual(events, [])
  })

  test('blocks until something happens, then returns it (EVENTS-4, EVENTS-9)', async () => {
    const member = (await patient()).as('member')
    const { queue_id, last_event_id } = await register(member)
    const waiting = member.must('GET', '/events', { queue_id, last_event_id, foo: 1 })
    const id = await note(member)
    const { events, ignored_parameters_unsupported } = await waiting
    assert.deepEqual(
      events.map((event: { message: { id: number } }) => event.message.id),
      [id],
    )
    assert.deepEqual(ignored_parameters_unsupported, ['foo'])
  })

  test('a heartbeat when nothing happens; its id is of the log and loses nothing (EVENTS-10, EV-5)', async () => {
    const member = (await parley()).as('member')
    const { queue_id, last_event_id } = await register(member)
    const { events } = await member.must('GET', '/events', { queue_id, last_event_id })
    assert.deepEqual(
      events.map((event: { type: string }) => event.type),
      ['heartbeat'],
    )
    assert.deepEqual(Object.keys(events[0]).toSorted(), ['id', 'type'])
    const sent = await note(member)
    const next = await member.must('GET', '/events', { queue_id, last_event_id: events[0].id, dont_block: true })
    assert.deepEqual(
      next.events.map((event: { message: { id: number } }) => event.message.id),
      [sent],
    )
  })

  test('a second poll ends the first (EVENTS-15)', async () => {
    const member = (await patient()).as('member')
    const { queue_id, last_event_id } = await register(member)
    const first = member.must('GET', '/events', { queue_id, last_event_id })
    // Until the first poll is parked, a second one that does not block does not end it.
    let isOver = false
    void first.then(() => {
      isOver = true
    })
    while (!isOver) await member.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    assert.deepEqual((await first).events, [])
  })

  test('unknown, deleted and other people’s queues answer the same (EVENTS-13)', async () => {
    const server = await patient()
    const [member, other] = [server.as('member'), server.as('member2')]
    const { queue_id } = await register(member)
    for (const [client, id] of [
      [other, queue_id],
      [member, 'unknown'],
      [member, ''],
    ] as const) {
      for (const answer of [
        await client.get('/events', { queue_id: id }),
        await client.delete('/events', { queue_id: id }),
      ]) {
        assert.equal(answer.status, 400)
        assert.deepEqual(answer.body, {
          result: 'error',
          msg: `Bad event queue ID: ${id}`,
          code: 'BAD_EVENT_QUEUE_ID',
          queue_id: id,
        })
      }
    }
  })

  test('DELETE frees a queue and answers the poll that waits on it', async () => {
    const member = (await patient()).as('member')
    const { queue_id, last_event_id } = await register(member)
    const waiting = member.get('/events', { queue_id, last_event_id })
    await member.must('GET', '/users/me')
    await member.must('DELETE', '/events', { queue_id })
    const { status, body } = await waiting
    assert.ok(status === 200 ? body.events.length === 0 : body.code === 'BAD_EVENT_QUEUE_ID', JSON.stringify(body))
    assert.equal((await member.get('/events', { queue_id, dont_block: true })).body.code, 'BAD_EVENT_QUEUE_ID')
    assert.equal((await member.delete('/events', {})).body.var_name, 'queue_id')
  })

  test('registers a queue when a parameter of POST /register is sent, and only then (EVENTS-1, EVENTS-12, NOTE-1, DIFF-POLL-WITHOUT-QUEUE)', async () => {
    const member = (await patient()).as('member')
    const { events, queue_id } = await member.must('GET', '/events', { event_types: ['message'], apply_markdown: true })
    assert.deepEqual(events, [])
    await note(member, '**x**')
    const next = await member.must('GET', '/events', { queue_id, dont_block: true })
    assert.deepEqual(
      next.events.map((event: { message: { content: string } }) => event.message.content),
      ['<p><strong>x</strong></p>'],
    )
    for (const parameters of [{}, { dont_block: true }, { last_event_id: 5 }, { foo: 1 }]) {
      const { status, body } = await member.get('/events', parameters)
      assert.deepEqual([status, body.code, body.var_name], [400, 'REQUEST_VARIABLE_MISSING', 'queue_id'])
    }
  })

  test('refuse what is not an event of this queue, and wrong types (ENV-19)', async () => {
    const member = (await patient()).as('member')
    const { queue_id } = await register(member)
    for (const [parameters, message] of [
      [{ last_event_id: 'x' }, /^last_event_id is not an integer$/],
      [{ last_event_id: -2 }, /^last_event_id is too small$/],
      [{ last_event_id: 9_007_199_254_740_991 }, /was not in this queue$/],
      [{ dont_block: 'x' }, /^dont_block is not a boolean$/],
    ] as const) {
      const { status, body } = await member.get('/events', { queue_id, dont_block: true, ...parameters })
      assert.equal(status, 400)
      assert.match(body.msg, message)
    }
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /register', (dialect) => {
  const parley = sharedParley(dialect)

  test('fetch_event_types null is everything; guests know their role', async () => {
    const server = await parley()
    const member = server.as('member')
    const all = await member.must('POST', '/register', {})
    const asked = await member.must('POST', '/register', { event_types: ['message'], fetch_event_types: null })
    assert.deepEqual(Object.keys(asked).toSorted(), Object.keys(all).toSorted())
    const guest = await server.as('guest').must('POST', '/register', { fetch_event_types: ['realm_user', 'stream'] })
    assert.deepEqual([guest.is_guest, guest.is_admin, guest.can_create_streams], [true, false, false])
  })

  test('invalid parameters are refused by name', async () => {
    const server = await parley()
    const member = server.as('member')
    const types = Array.from({ length: 201 }, (_, index) => `type ${index}`)
    const long = 'x'.repeat(255)
    for (const [parameters, msg] of [
      [{ narrow: [['is', 'followed']] }, 'Operator is:followed not supported.'],
      [{ narrow: [['has', 'link']] }, 'Operator has not supported.'],
      [{ narrow: [{ operator: 'dm', operand: 'x', negated: true }] }, 'Operator dm not supported.'],
      [{ narrow: [['colour', 'red']] }, 'Operator colour not supported.'],
      [{ narrow: [5] }, 'narrow[0] is not a dict or a list'],
      [{ idle_queue_timeout: 0 }, 'idle_queue_timeout is too small'],
      [{ idle_queue_timeout: 'desktop' }, 'Invalid idle_queue_timeout'],
      [{ event_types: [5] }, 'event_types[0] is not a string'],
      [
        { client_capabilities: { notification_settings_null: 1 } },
        'client_capabilities["notification_settings_null"] is not a boolean',
      ],
      // Clients always did name it.
      [{ client_capabilities: {} }, 'client_capabilities["notification_settings_null"] field is missing'],
      [{ event_types: types }, 'event_types is too long (limit: 200 items)'],
      [{ fetch_event_types: types }, 'fetch_event_types is too long (limit: 200 items)'],
      [{ narrow: Array(101).fill(['is', 'dm']) }, 'narrow is too long (limit: 100 items)'],
      [{ narrow: [['topic', long]] }, 'narrow[0][1] is too long (limit: 254 characters)'],
      [{ narrow: [{ operator: 'topic', operand: long }] }, 'narrow[0]["operand"] is too long (limit: 254 characters)'],
      [
        { narrow: [{ operator: 'channel', operand: Array(101).fill(1) }] },
        'narrow[0]["operand"] is too long (limit: 100 items)',
      ],
    ] as const) {
      const { status, body } = await member.post('/register', parameters)
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', msg])
    }
    const { body } = await server.as('guest').post('/register', { all_public_streams: true })
    assert.equal(body.msg, 'User not authorized for this query')
  })

  test('unknown capabilities are accepted, and parameters without effect are reported', async () => {
    const member = (await parley()).as('member')
    const withoutEffect = { client: 'x', user_client: 'x' }
    const client_capabilities = { notification_settings_null: true, from_the_future: true }
    for (const body of [
      await member.must('POST', '/register', { fetch_event_types: [], client_capabilities, ...withoutEffect }),
      await member.must('GET', '/events', { event_types: ['message'], client_capabilities, ...withoutEffect }),
    ]) {
      assert.deepEqual(body.ignored_parameters_unsupported.toSorted(), Object.keys(withoutEffect).toSorted())
    }
  })
})

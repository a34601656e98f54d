import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const SWITCHES = [
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
]
type Change = { stream_id: number; property: string; value: unknown }

onEachDatabase('own settings of a channel', (dialect) => {
  const parley = sharedParley(dialect)

  /** The single and the bulk operation. */
  const FORMS: Record<string, (user: ApiClient, change: Change) => ReturnType<ApiClient['post']>> = {
    single: (user, { stream_id, ...change }) => user.request('PATCH', `/users/me/subscriptions/${stream_id}`, change),
    bulk: (user, change) => user.post('/users/me/subscriptions/properties', { subscription_data: [change] }),
  }

  async function follower(): Promise<{ user: ApiClient; stream_id: number; own(): Promise<Record<string, unknown>> }> {
    const server = await parley()
    const user = await server.newUser()
    await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: server.unique('Mine') }] })
    const own = async () => (await user.must('GET', '/users/me/subscriptions')).subscriptions[0]
    return { user, own, stream_id: (await own()).stream_id as number }
  }

  for (const [form, change] of Object.entries(FORMS)) {
    test(`${form}: every property is set and told (SUB-5 to SUB-14, SUB-16 to SUB-19)`, async () => {
      const { user, own, stream_id } = await follower()
      const { queue_id } = await user.must('POST', '/register', { fetch_event_types: [] })
      let seen = 0
      const told = async () => {
        const { events } = await user.must('GET', '/events', { queue_id, dont_block: true })
        const news = events.slice(seen)
        seen = events.length
        for (const event of news)
          assert.deepEqual([event.type, event.op, event.stream_id], ['subscription', 'update', stream_id])
        return news.map(({ property, value }: Change) => [property, value])
      }
      for (const property of SWITCHES) {
        for (const value of [true, false]) {
          assert.deepEqual((await change(user, { stream_id, property, value })).body, { result: 'success', msg: '' })
          assert.equal((await own())[property], value)
          assert.deepEqual(await told(), [[property, value]])
        }
      }
      for (const [value, stored] of [
        ['#FF0000', '#ff0000'],
        ['#0aC', '#00aacc'],
      ] as const) {
        await change(user, { stream_id, property: 'color', value })
        assert.equal((await own()).color, stored)
        assert.deepEqual(await told(), [['color', stored]])
      }
      for (const [property, value, isMuted] of [
        ['is_muted', true, true],
        ['in_home_view', true, false],
        ['in_home_view', false, true],
      ] as const) {
        await change(user, { stream_id, property, value })
        const { is_muted, in_home_view } = await own()
        assert.deepEqual([is_muted, in_home_view], [isMuted, !isMuted])
        assert.deepEqual((await told()).toSorted(), [
          ['in_home_view', !isMuted],
          ['is_muted', isMuted],
        ])
      }
    })

    test(`${form}: refuse what is no property, no value or no channel of one's own (SUB-4, 6, 15, 22)`, async () => {
      const server = await parley()
      const { user, own, stream_id } = await follower()
      const other = server.as('member2')
      const name = server.unique('Hidden')
      await other.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true })
      const { stream_id: hidden } = await other.must('GET', '/get_stream_id', { stream: name })
      const { stream_id: general } = await other.must('GET', '/get_stream_id', { stream: 'general' })
      const before = await own()
      for (const [wish, msg] of [
        [{ property: 'foo', value: true }, 'Unknown subscription property: foo'],
        [{ property: 'is_muted', value: 'abc' }, 'is_muted is not a boolean'],
        [{ property: 'in_home_view', value: 'abc' }, 'in_home_view is not a boolean'],
        [{ property: 'color', value: 'red' }, 'color is not a valid hex color code'],
        [{ property: 'color', value: '#ff000' }, 'color is not a valid hex color code'],
        [{ property: 'color', value: '"#ff0000"' }, 'color is not a valid hex color code'],
        [{ property: 'color', value: true }, 'color is not a string'],
        [{ property: 'is_muted', value: true, stream_id: 2_000_000_000 }, 'Invalid channel ID'],
        [{ property: 'is_muted', value: true, stream_id: 0 }, 'Invalid channel ID'],
        [{ property: 'is_muted', value: true, stream_id: hidden }, 'Invalid channel ID'],
        [{ property: 'is_muted', value: true, stream_id: general }, `Not subscribed to channel ID ${general}`],
      ] as const) {
        const { status, body } = await change(user, { stream_id, ...wish })
        assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', msg])
      }
      assert.deepEqual(await own(), before)
    })
  }

  test('bulk: all or nothing, and nobody else is concerned (SUB-21)', async () => {
    const { user, own, stream_id } = await follower()
    const subscription_data = [
      { stream_id, property: 'pin_to_top', value: true },
      { stream_id: 2_000_000_000, property: 'pin_to_top', value: true },
    ]
    assert.equal((await user.post('/users/me/subscriptions/properties', { subscription_data })).status, 400)
    assert.equal((await own()).pin_to_top, false)
  })

  test('parameters that are missing are named (SUB-2, SUB-3)', async () => {
    const { user, stream_id } = await follower()
    for (const [parameters, missing] of [
      [{ value: true }, 'property'],
      [{ property: 'is_muted' }, 'value'],
    ] as const) {
      const { body } = await user.request('PATCH', `/users/me/subscriptions/${stream_id}`, parameters)
      assert.deepEqual([body.code, body.var_name], ['REQUEST_VARIABLE_MISSING', missing])
    }
  })
})

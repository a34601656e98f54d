import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const NOTIFICATIONS = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
]
const notificationsOf = (subscription: Record<string, unknown>) => NOTIFICATIONS.map((name) => subscription[name])

onEachDatabase('capability notification_settings_null', (dialect) => {
  const parley = sharedParley(dialect)
  const register = (client: ApiClient, parameters: Record<string, unknown> = {}) =>
    client.must('POST', '/register', { event_types: ['subscription'], ...parameters })
  async function eventsOf(client: ApiClient, { queue_id, last_event_id }: { queue_id: string; last_event_id: number }) {
    return (await client.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events
  }

  test('inherited notification settings: null only for whoever knows it, in state and events', async () => {
    const server = await parley()
    const user = await server.newUser()
    const knowing = { client_capabilities: { notification_settings_null: true } }
    const seen = []
    for (const parameters of [{}, knowing]) {
      const name = server.unique('Notify')
      const queue = await register(user, parameters)
      await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
      const added = (await eventsOf(user, queue)).find((event: { op: string }) => event.op === 'add').subscriptions[0]
      const { subscriptions } = await register(user, parameters)
      for (const one of [added, subscriptions.at(-1)]) {
        seen.push([one.desktop_notifications, one.email_notifications, one.wildcard_mentions_notify])
      }
    }
    const filledIn = [false, false, true]
    const inherited = [null, null, null]
    assert.deepEqual(seen, [filledIn, filledIn, inherited, inherited])
  })

  test('what is inherited is what each user set for all channels (SUB-FIELD-16 to SUB-FIELD-20)', async () => {
    const server = await parley()
    const [usual, other] = [await server.newUser(), await server.newUser()]
    const own = {
      enable_stream_desktop_notifications: true,
      enable_stream_audible_notifications: true,
      enable_stream_push_notifications: true,
      enable_stream_email_notifications: true,
      wildcard_mentions_notify: false,
    }
    await other.must('PATCH', '/settings', own)
    const queues = [await register(usual), await register(other)] as const
    const name = server.unique('Inherit')
    const principals = [usual.userId, other.userId]
    await usual.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
    const named = (list: Record<string, unknown>[]) => list.find((one) => one.name === name) ?? {}
    const seen = []
    for (const [index, user] of [usual, other].entries()) {
      const events = await eventsOf(user, queues[index])
      const added = events.find((event: { op: string }) => event.op === 'add').subscriptions
      const { subscriptions } = await register(user)
      await user.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      const { unsubscribed } = await register(user)
      seen.push([named(added), named(subscriptions), named(unsubscribed)].map(notificationsOf))
    }
    const [off, on] = [
      [false, false, false, false, true],
      [true, true, true, true, false],
    ]
    assert.deepEqual(seen, [
      [off, off, off],
      [on, on, on],
    ])
  })
})

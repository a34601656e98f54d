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

onEachDatabase('capability notification_settings_null', (dialect) => {
  const parley = sharedParley(dialect)
  const register = (client: ApiClient, parameters: Record<string, unknown> = {}) =>
    client.must('POST', '/register', { event_types: ['subscription'], ...parameters })

  test('what is inherited is what each user set for all channels, in events and state; null for whoever knows it', async () => {
    const server = await parley()
    const [usual, other] = [await server.newUser(), await server.newUser()]
    await other.must('PATCH', '/settings', {
      enable_stream_desktop_notifications: true,
      enable_stream_audible_notifications: true,
      enable_stream_push_notifications: true,
      enable_stream_email_notifications: true,
      wildcard_mentions_notify: false,
    })
    const knowing = { client_capabilities: { notification_settings_null: true } }
    const clients = [
      [usual, {}, [false, false, false, false, true]],
      [other, {}, [true, true, true, true, false]],
      [usual, knowing, [null, null, null, null, null]],
    ] as const
    const queues = await Promise.all(clients.map(([user, parameters]) => user.listen(['subscription'], parameters)))
    const { name } = await server.newChannel([usual, other])
    for (const [index, [user, parameters, expected]] of clients.entries()) {
      await user.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
      const added = (await queues[index]?.())?.find(({ op }) => op === 'add').subscriptions
      const { subscriptions } = await register(user, parameters)
      await user.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
      const { unsubscribed } = await register(user, parameters)
      for (const list of [added, subscriptions, unsubscribed]) {
        const one = list.find((subscription: { name: string }) => subscription.name === name)
        assert.deepEqual(
          NOTIFICATIONS.map((field) => one[field]),
          expected,
        )
      }
    }
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

const NOTIFICATIONS = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
]

onEachDatabase('capability notification_settings_null', (dialect) => {
  const parley = sharedParley(dialect)

  test('inherited settings have the user’s value for all channels, or null for clients that know it', async () => {
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
      const told = (await queues[index]?.())?.find(({ op }) => op === 'add').subscriptions[0]
      assert.deepEqual(
        NOTIFICATIONS.map((field) => told[field]),
        expected,
      )
      const { subscriptions } = await user.must('POST', '/register', { event_types: ['subscription'], ...parameters })
      const one = subscriptions.find((subscription: { name: string }) => subscription.name === name)
      const has = NOTIFICATIONS.map((field) => one[field])
      assert.deepEqual(has, expected)
    }
  })
})

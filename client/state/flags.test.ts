import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEvents, completed } from './apply-events.ts'
import type { UnreadFields } from './unread.ts'

test('messages that become unread again are mentions if the event says so', () => {
  const place = { type: 'private', user_ids: [2] }
  const event = {
    id: 1,
    type: 'update_message_flags',
    op: 'remove',
    flag: 'read',
    messages: [5, 6],
    message_details: { 5: place, 6: { ...place, mentioned: true } },
  }
  const { unread_msgs: unread } = applyEvents(completed({ user_id: 1 }), [event]) as unknown as UnreadFields
  assert.deepEqual([unread.pms[0]?.unread_message_ids, unread.mentions], [[5, 6], [6]])
})

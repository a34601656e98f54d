import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedParley } from '../../server/testing.ts'

const parley = sharedParley('sqlite')

test('messages of a muted user arrive unread, as all others do (DIFF-MUTED-UNREAD)', async () => {
  const server = await parley()
  const [reader, muted] = [await server.newUser(), await server.newUser()]
  const before = await muted.send([reader], 'before')
  await reader.must('POST', `/users/me/muted_users/${muted.userId}`)
  const after = await muted.send([reader], 'after')
  const { unread_msgs } = await reader.must('POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags'],
  })
  assert.deepEqual(unread_msgs.pms[0].unread_message_ids, [before, after])
})

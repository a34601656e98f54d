import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows } from '../../db/rows-testing.ts'
import { MAX_MUTED_USERS } from '../../domain/limits.ts'
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

test('an account mutes at most a thousand users (DIFF-MUTED-USERS)', async () => {
  const server = await parley()
  const [reader, last, other] = [await server.newUser(), await server.newUser(), await server.newUser()]
  const rows = Array.from({ length: MAX_MUTED_USERS - 1 }, (_, number) => {
    return { user_id: reader.userId, muted_user_id: 1_000_000 + number, muted_at: 1 }
  })
  await server.inDatabase((session) => insertRows({ session }, 'muted_user', rows))
  const mute = async ({ userId }: { readonly userId: number }) =>
    (await reader.post(`/users/me/muted_users/${userId}`)).body.msg
  assert.equal(await mute(last), '')
  assert.equal(await mute(last), 'User already muted')
  assert.equal(await mute(other), 'An account mutes 1000 users at most.')
  await reader.must('DELETE', `/users/me/muted_users/${last.userId}`)
  assert.equal(await mute(other), '')
})

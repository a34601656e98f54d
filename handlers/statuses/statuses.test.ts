import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'

const palm = { emoji_name: 'palm_tree', emoji_code: '1f334', reaction_type: 'unicode_emoji' }

onEachDatabase('statuses', (dialect) => {
  const parley = sharedParley(dialect)

  test('impossible ones are refused, and change nothing', async () => {
    const server = await parley()
    const self = await server.newUser()
    const queue = await self.listen(['user_status'])
    for (const [parameters, msg] of [
      [{}, 'Client did not pass any new values.'],
      [{ emoji_code: '1f334' }, 'emoji_name is needed with emoji_code and reaction_type'],
      [{ status_text: 'x', reaction_type: 'unicode_emoji' }, 'emoji_name is needed with emoji_code and reaction_type'],
      [{ emoji_name: 'no_such' }, "Emoji 'no_such' does not exist"],
      [{ ...palm, emoji_code: 'zzz' }, 'Invalid emoji code.'],
      [{ ...palm, emoji_code: '1f419' }, 'Invalid emoji name.'],
      [{ ...palm, reaction_type: 'gif' }, 'Invalid emoji type.'],
      [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    ] as const) {
      const { status, body } = await self.post('/users/me/status', parameters)
      assert.deepEqual([status, body.msg], [400, msg], JSON.stringify(parameters))
    }
    assert.deepEqual(await queue(), [])
    await self.must('POST', '/users/me/status', { status_text: '  on vacation\n' })
    assert.deepEqual((await self.must('GET', `/users/${self.userId}/status`)).status, { status_text: 'on vacation' })
  })

  test('the extra emoji has the configured name of its type (REACT-FIELD-8)', async (t) => {
    const server = await ownParley(t, dialect, { wireValues: 'clients' })
    const self = server.as('member')
    const queue = await self.listen(['user_status'])
    await self.must('POST', '/users/me/status', { emoji_name: 'zulip', reaction_type: 'service_extra_emoji' })
    const expected = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
    assert.deepEqual((await self.must('GET', `/users/${self.userId}/status`)).status, expected)
    const { user_status: all } = await self.must('POST', '/register', { fetch_event_types: ['user_status'] })
    assert.deepEqual(all, { [self.userId]: expected })
    assert.deepEqual(await queue(), [{ type: 'user_status', user_id: self.userId, ...expected }])
  })

  test('of others: unknown users, bots, and empty changes are refused', async () => {
    const server = await parley()
    const admin = server.as('admin')
    for (const id of [999_999, 0, '9'.repeat(30), server.as('bot').userId]) {
      const { status, body } = await admin.post(`/users/${id}/status`, { status_text: 'x' })
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'No such user'], String(id))
    }
    const nothing = await admin.post(`/users/${server.as('member').userId}/status`, {})
    assert.equal(nothing.body.msg, 'Client did not pass any new values.')
    const unknown = await admin.get('/users/999999/status')
    assert.deepEqual([unknown.status, unknown.body.msg], [400, 'No such user'])
    assert.deepEqual((await admin.must('GET', `/users/${server.as('bot').userId}/status`)).status, {})
  })
})

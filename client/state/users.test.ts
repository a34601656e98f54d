import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostUsers } from './users.ts'

test('the most users that there were are counted by what events tell of those that come and go', () => {
  const registered = { realm_users: [1, 2].map((user_id) => ({ user_id, email: '' })) }
  const events = [
    { type: 'realm_user', op: 'add', person: { user_id: 3 } },
    { type: 'realm_user', op: 'update', person: { user_id: 1, is_active: true } },
    { type: 'realm_user', op: 'update', person: { user_id: 2, full_name: 'Two' } },
    { type: 'realm_user', op: 'update', person: { user_id: 2, is_active: false } },
    { type: 'realm_user', op: 'update', person: { user_id: 3, is_active: false } },
    { type: 'presence', op: 'add' },
  ].map((event, id) => ({ id, ...event }))
  assert.equal(mostUsers(registered, events), 4)
  assert.equal(mostUsers(registered, []), 2)
})

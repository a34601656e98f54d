import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEvents } from './apply-events.ts'
import { mostUsers } from './users.ts'

test('events about new users update the maximum number of users', () => {
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

test('a user who becomes visible is only in the list in which registration has them', () => {
  const unknown = { user_id: 1, email: 'unknown', is_active: true }
  const registered = { user_id: 3, realm_users: [unknown], realm_non_active_users: [] }
  const add = (id: number, is_active: boolean) => ({
    id,
    type: 'realm_user',
    op: 'add',
    person: { user_id: id, email: 'a@example.com', is_active },
  })
  const { realm_users: active, realm_non_active_users: others } = applyEvents(registered, [add(1, false), add(2, true)])
  const ids = (users: unknown) => (users as { user_id: number }[]).map(({ user_id }) => user_id)
  assert.deepEqual([ids(active), ids(others)], [[2], [1]])
})

test('hiding an address changes it in lists, in the own profile and in presences, and announces the avatar', () => {
  const shown = { email: 'a@example.com', delivery_email: 'a@example.com', avatar_url: null, is_active: true }
  const registered = {
    user_id: 1,
    email: shown.email,
    realm_users: [{ user_id: 1, ...shown }],
    realm_non_active_users: [],
    presences: { [shown.email]: { website: {}, aggregated: {} } },
  }
  const standIn = 'user1@chat.example.com'
  const picture = { avatar_source: 'G', avatar_url: 'https://a/1', avatar_url_medium: 'https://a/2', avatar_version: 1 }
  const update = (id: number, more: object) => ({
    id,
    type: 'realm_user',
    op: 'update',
    person: { user_id: 1, ...more },
  })
  const state = applyEvents(registered, [update(1, { new_email: standIn }), update(2, picture)])
  const { avatar_url, avatar_version } = picture
  assert.deepEqual(state.realm_users, [{ user_id: 1, ...shown, email: standIn, avatar_url, avatar_version }])
  assert.deepEqual(Object.keys(state.presences), [standIn])
  assert.deepEqual([state.email, (state as { avatar_url?: unknown }).avatar_url], [standIn, avatar_url])
})

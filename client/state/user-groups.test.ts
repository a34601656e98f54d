import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEvents } from './apply-events.ts'

const registered = {
  user_id: 1,
  realm_users: [{ user_id: 1, email: 'a@example.com', is_active: true }],
  realm_non_active_users: [],
  realm_user_groups: [
    { id: 4, members: [], direct_subgroup_ids: [] },
    { id: 5, members: [1], direct_subgroup_ids: [4] },
    { id: 9, members: [], direct_subgroup_ids: [5] },
  ],
  realm_can_create_public_channel_group: 9,
  realm_can_create_private_channel_group: 4,
  realm_can_invite_users_group: { direct_members: [1], direct_subgroups: [] },
  realm_jitsi_server_url: null,
  jitsi_server_url: null,
  can_create_streams: true,
  can_create_public_streams: true,
  can_create_private_streams: false,
  can_invite_others_to_realm: true,
}

/** The state after events, as a list of what the user may do. */
function mayAfter(...events: object[]): unknown[] {
  const all = events.map((event, id) => ({ id, type: 'user_group', ...event }))
  const state = applyEvents(registered, all)
  return [state.can_create_public_streams, state.can_create_private_streams, state.can_invite_others_to_realm]
}

test('permissions follow from settings and groups', () => {
  const role = { type: 'realm_user', op: 'update', person: { user_id: 1, role: 300 } }
  const joins = { op: 'add_members', group_id: 4, user_ids: [1] }
  const leaves = { op: 'remove_members', group_id: 5, user_ids: [1] }
  assert.deepEqual(mayAfter(role, joins, leaves), [true, true, true])
  assert.deepEqual(mayAfter(leaves), [false, false, true])
  assert.deepEqual(mayAfter({ op: 'remove_subgroups', group_id: 9, direct_subgroup_ids: [5] }), [false, false, true])
  const data = { can_invite_users_group: { direct_members: [], direct_subgroups: [4] } }
  assert.deepEqual(mayAfter({ type: 'realm', op: 'update_dict', property: 'default', data }), [true, false, false])
  const becomesGuest = { type: 'realm_user', op: 'update', person: { user_id: 1, role: 600 } }
  assert.deepEqual(mayAfter(becomesGuest, joins), [false, false, false])
})

test('the Jitsi server is the same under both of its names', () => {
  const value = 'https://meet.example.com'
  const state = applyEvents(registered, [{ id: 0, type: 'realm', op: 'update', property: 'jitsi_server_url', value }])
  assert.deepEqual([state.realm_jitsi_server_url, state.jitsi_server_url], [value, value])
})

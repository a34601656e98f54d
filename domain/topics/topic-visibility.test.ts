import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type UserSettings, userSettings } from '../users/user-settings.ts'
import { policyAfterMove, policyAfterSending, type Sending, VISIBILITY } from './topic-visibility.ts'

const usual: Sending = {
  settings: userSettings({}),
  startsTopic: false,
  isChannelMuted: false,
  policy: VISIBILITY.none,
}
const after = (changes: Partial<Sending>, settings: Partial<UserSettings> = {}) =>
  policyAfterSending({ ...usual, ...changes, settings: userSettings(settings) })

test('by default, follow started topics and unmute topics that one sends to', () => {
  assert.equal(after({}), undefined)
  assert.equal(after({ startsTopic: true }), VISIBILITY.followed)
  assert.equal(after({ isChannelMuted: true }), VISIBILITY.unmuted)
  assert.equal(after({ isChannelMuted: true, startsTopic: true }), VISIBILITY.followed)
})

test('follow and unmute as the user’s settings say', () => {
  for (const policy of [1, 2] as const) {
    assert.equal(after({}, { automatically_follow_topics_policy: policy }), VISIBILITY.followed)
  }
  const never = {
    automatically_follow_topics_policy: 4,
    automatically_unmute_topics_in_muted_streams_policy: 4,
  } as const
  assert.equal(after({ startsTopic: true, isChannelMuted: true }, never), undefined)
  const starting = { ...never, automatically_unmute_topics_in_muted_streams_policy: 3 } as const
  assert.equal(after({ isChannelMuted: true }, starting), undefined)
  assert.equal(after({ isChannelMuted: true, startsTopic: true }, starting), VISIBILITY.unmuted)
})

test('keep a policy that is as wanted, and only raise it', () => {
  assert.equal(after({ startsTopic: true, policy: VISIBILITY.followed }), undefined)
  assert.equal(after({ isChannelMuted: true, policy: VISIBILITY.unmuted }), undefined)
  assert.equal(after({ isChannelMuted: true, policy: VISIBILITY.followed }), undefined)
  assert.equal(after({ startsTopic: true, policy: VISIBILITY.muted }), VISIBILITY.followed)
})

test('policies of two merged topics: equal ones stay, different ones become unmuted at most', () => {
  for (const [old, present, expected] of [
    [3, 3, 3],
    [3, 0, 0],
    [3, 1, 0],
    [2, 1, 2],
    [0, 2, 2],
    [1, 1, 1],
  ] as const) {
    assert.equal(policyAfterMove({ old, present }, true), expected, `${old} and ${present}`)
  }
})

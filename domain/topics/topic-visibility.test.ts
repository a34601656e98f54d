import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type UserSettings, userSettings } from '../users/user-settings.ts'
import { PART, policyAfterMove, policyAfterTakingPart, type TakingPart, VISIBILITY } from './topic-visibility.ts'

const usual: TakingPart = {
  settings: userSettings({}),
  part: PART.sends,
  isChannelMuted: false,
  policy: VISIBILITY.none,
}
const after = (changes: Partial<TakingPart>, settings: Partial<UserSettings> = {}) =>
  policyAfterTakingPart({ ...usual, ...changes, settings: userSettings(settings) })

test('by default, follow started topics and unmute topics that one sends to', () => {
  assert.equal(after({}), undefined)
  assert.equal(after({ part: PART.starts }), VISIBILITY.followed)
  assert.equal(after({ isChannelMuted: true }), VISIBILITY.unmuted)
  assert.equal(after({ isChannelMuted: true, part: PART.starts }), VISIBILITY.followed)
})

test('follow and unmute as the user’s settings say', () => {
  for (const policy of [1, 2] as const) {
    assert.equal(after({}, { automatically_follow_topics_policy: policy }), VISIBILITY.followed)
  }
  const other = { part: PART.other, isChannelMuted: true }
  assert.equal(after(other, { automatically_follow_topics_policy: 1 }), VISIBILITY.followed)
  assert.equal(after(other, { automatically_unmute_topics_in_muted_streams_policy: 1 }), VISIBILITY.unmuted)
  assert.equal(after(other, { automatically_follow_topics_policy: 2 }), undefined)
  const never = {
    automatically_follow_topics_policy: 4,
    automatically_unmute_topics_in_muted_streams_policy: 4,
  } as const
  assert.equal(after({ part: PART.starts, isChannelMuted: true }, never), undefined)
  const starting = { ...never, automatically_unmute_topics_in_muted_streams_policy: 3 } as const
  assert.equal(after({ isChannelMuted: true }, starting), undefined)
  assert.equal(after({ isChannelMuted: true, part: PART.starts }, starting), VISIBILITY.unmuted)
})

test('keep a policy that is as wanted, and only raise it', () => {
  assert.equal(after({ part: PART.starts, policy: VISIBILITY.followed }), undefined)
  assert.equal(after({ isChannelMuted: true, policy: VISIBILITY.unmuted }), undefined)
  assert.equal(after({ isChannelMuted: true, policy: VISIBILITY.followed }), undefined)
  assert.equal(after({ part: PART.starts, policy: VISIBILITY.muted }), VISIBILITY.followed)
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

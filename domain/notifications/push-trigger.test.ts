import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VISIBILITY } from '../topics/topic-visibility.ts'
import { type ChannelReceiver, isPushed, type PushSettings } from './push-trigger.ts'

const defaults: PushSettings = {
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  wildcard_mentions_notify: true,
}
const receiver: ChannelReceiver = {
  isMentioned: false,
  isTopicMentioned: false,
  isChannelMentioned: false,
  isChannelMuted: false,
  topicPolicy: VISIBILITY.none,
  pushNotifications: null,
  wildcardMentionsNotify: null,
}
const ofChannel = (is: Partial<ChannelReceiver>, settings: Partial<PushSettings> = {}, isActive = false) =>
  isPushed({ ...defaults, ...settings }, { ...receiver, ...is }, isActive)

test('direct messages and mentions follow the account’s settings', () => {
  assert.ok(isPushed(defaults, undefined, false))
  assert.ok(!isPushed({ ...defaults, enable_offline_push_notifications: false }, undefined, false))
  assert.ok(ofChannel({ isMentioned: true, topicPolicy: VISIBILITY.muted }), 'a mention reaches through mutes')
  assert.ok(!ofChannel({ isMentioned: true }, { enable_offline_push_notifications: false }))
})

test('an active user is notified only if they want that', () => {
  const settings = { ...defaults, enable_online_push_notifications: false }
  assert.deepEqual([isPushed(settings, undefined, true), isPushed(settings, undefined, false)], [false, true])
  assert.ok(isPushed(defaults, undefined, true))
})

test('wildcard mentions notify unless muting, subscription or account settings forbid it', () => {
  for (const is of [{ isTopicMentioned: true }, { isChannelMentioned: true }]) {
    assert.ok(ofChannel(is))
    assert.ok(!ofChannel({ ...is, isChannelMuted: true }))
    assert.ok(!ofChannel({ ...is, wildcardMentionsNotify: false }))
    assert.ok(ofChannel({ ...is, wildcardMentionsNotify: true }, { wildcard_mentions_notify: false }))
    const followed = { ...is, topicPolicy: VISIBILITY.followed, wildcardMentionsNotify: false }
    assert.ok(ofChannel(followed, { enable_followed_topic_push_notifications: false }))
    assert.ok(!ofChannel(is, { enable_offline_push_notifications: false }))
  }
})

test('other channel messages notify if the subscription, the account or a followed topic says so', () => {
  assert.ok(!ofChannel({}))
  assert.ok(ofChannel({}, { enable_stream_push_notifications: true }))
  assert.ok(!ofChannel({ pushNotifications: false }, { enable_stream_push_notifications: true }))
  assert.ok(ofChannel({ pushNotifications: true }))
  assert.ok(!ofChannel({ pushNotifications: true, isChannelMuted: true }))
  assert.ok(ofChannel({ pushNotifications: true, isChannelMuted: true, topicPolicy: VISIBILITY.unmuted }))
  assert.ok(!ofChannel({ pushNotifications: true, topicPolicy: VISIBILITY.muted }))
  assert.ok(ofChannel({ isChannelMuted: true, topicPolicy: VISIBILITY.followed }))
  const unfollowed = { enable_followed_topic_push_notifications: false }
  assert.ok(!ofChannel({ topicPolicy: VISIBILITY.followed }, unfollowed))
})

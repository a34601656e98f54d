import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CHANNEL_GROUP_SETTINGS,
  type GroupSetting,
  ORGANIZATION_GROUP_SETTINGS,
  USER_GROUP_GROUP_SETTINGS,
} from '../user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../user-groups/system-groups.ts'
import { ORGANIZATION_SETTING_NAMES, organizationSettings } from './organization-settings.ts'

test('missing values have their defaults, null included', () => {
  const settings = organizationSettings({ message_content_edit_limit_seconds: null, invite_required: false })
  assert.equal(settings.message_content_edit_limit_seconds, null)
  assert.equal(settings.invite_required, false)
  assert.equal(settings.message_content_delete_limit_seconds, 600)
  assert.deepEqual(Object.keys(settings), ORGANIZATION_SETTING_NAMES)
})

test('start with the documented groups (AUTH-21)', () => {
  const settings = organizationSettings({})
  assert.equal(settings.can_mention_many_users_group, SYSTEM_GROUP_ID['role:administrators'])
  assert.equal(settings.can_move_messages_between_channels_group, SYSTEM_GROUP_ID['role:members'])
  assert.equal(settings.can_move_messages_between_topics_group, SYSTEM_GROUP_ID['role:everyone'])
  assert.equal(settings.can_resolve_topics_group, SYSTEM_GROUP_ID['role:everyone'])
  assert.equal(settings.can_create_web_public_channel_group, SYSTEM_GROUP_ID['role:owners'])
})

test('default every group setting to a group that it accepts', () => {
  const tables = [ORGANIZATION_GROUP_SETTINGS, CHANNEL_GROUP_SETTINGS, USER_GROUP_GROUP_SETTINGS]
  for (const [name, setting] of tables.flatMap((table) => Object.entries<GroupSetting>(table))) {
    if (setting.default === 'role:nobody') assert.ok(setting.allowsNobody, name)
    if (setting.default === 'role:everyone') assert.ok(setting.allowsEveryone, name)
    assert.notEqual(setting.default, 'role:internet', name)
    const allowed: readonly string[] | undefined = setting.allowedSystemGroups
    if (allowed === undefined) continue
    assert.ok(allowed.includes(setting.default), name)
    assert.equal(allowed.includes('role:nobody'), setting.allowsNobody, name)
    assert.equal(allowed.includes('role:everyone'), setting.allowsEveryone, name)
  }
})

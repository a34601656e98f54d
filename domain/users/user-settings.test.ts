import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkUserSettings,
  USER_SETTING_NAMES,
  type UserSettingName,
  userSettings,
  userSettingsDefaults,
} from './user-settings.ts'

test('every default is a value that the setting takes', () => {
  assert.ok(checkUserSettings(userSettings({})).ok)
})

test('what is stored comes before the defaults', () => {
  assert.deepEqual(userSettings({ color_scheme: 3 }), { ...userSettings({}), color_scheme: 3 })
})

test('an organization has no default for what is of one user only', () => {
  const names = new Set<string>(Object.keys(userSettingsDefaults({})))
  const missing = USER_SETTING_NAMES.filter((name: UserSettingName) => !names.has(name))
  assert.deepEqual(missing, [
    'allow_private_data_export',
    'default_language',
    'enable_login_emails',
    'enable_marketing_emails',
    'timezone',
  ])
})

test('time zones by their IANA names', () => {
  const names = [
    '',
    ...'UTC Europe/Lisbon America/Argentina/Buenos_Aires Etc/GMT+12 Asia/Kolkata US/Pacific'.split(' '),
  ]
  for (const timezone of names) {
    assert.ok(checkUserSettings({ timezone }).ok, timezone)
  }
  // Clients look the name up in a table that does not have `asia/tokyo`.
  const otherCase = ['asia/tokyo', 'Asia/tokyo', 'ASIA/TOKYO', 'utc', 'us/pacific']
  const none = ['Europe', 'Europe/Nowhere', '+02:00', 'Europe/Lisbon ', '../etc', 'x'.repeat(41)]
  for (const timezone of [...none, ...otherCase]) {
    const expected = { ok: false, message: 'timezone is not a recognized time zone' }
    assert.deepEqual(checkUserSettings({ timezone }), expected, timezone)
  }
})

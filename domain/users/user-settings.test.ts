import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  checkUserSettings,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
  userSettings,
  userSettingsDefaults,
} from './user-settings.ts'

type Schema = { type: string | string[]; enum?: unknown[] }
const { paths } = JSON.parse(readFileSync(new URL('../../generated/decoded.json', import.meta.url), 'utf8'))
const form: Record<string, Schema> =
  paths['/api/v1/settings'].patch.requestBody.content['application/json'].schema.properties

test('the table and the contract say the same', () => {
  const ofAccount = ['full_name', 'email', 'old_password', 'new_password', 'target_users']
  assert.deepEqual(Object.keys(form).toSorted(), [...USER_SETTING_NAMES, ...ofAccount].toSorted())
  for (const [name, row] of Object.entries(USER_SETTINGS)) {
    const schema = form[name]
    assert.ok(schema, name)
    if (row.type === 'choice') assert.deepEqual(schema.enum, row.values, name)
    else if (row.type === 'boolean or null') assert.deepEqual(schema.type, ['boolean', 'null'], name)
    else assert.deepEqual([schema.type, schema.enum], [row.type, undefined], name)
  }
})

test('every default is a value that the setting takes', () => {
  for (const row of Object.values(USER_SETTINGS)) {
    if (row.type === 'choice') assert.ok((row.values as readonly unknown[]).includes(row.default))
  }
  assert.ok(checkUserSettings(userSettings({})).ok)
})

test('what is stored comes before the defaults', () => {
  assert.deepEqual(userSettings({ color_scheme: 3 }), { ...userSettings({}), color_scheme: 3 })
})

test('an organization has no default for what is of one user only', () => {
  const names = new Set<string>(Object.keys(userSettingsDefaults()))
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
    'UTC',
    'Europe/Lisbon',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+12',
    'Asia/Kolkata',
    'US/Pacific',
  ]
  for (const timezone of names) {
    assert.ok(checkUserSettings({ timezone }).ok, timezone)
  }
  // Clients look the name up in a table, where `asia/tokyo` is none.
  const otherCase = ['asia/tokyo', 'Asia/tokyo', 'ASIA/TOKYO', 'utc', 'us/pacific']
  const none = ['Europe', 'Europe/Nowhere', '+02:00', 'Europe/Lisbon ', '../etc', 'x'.repeat(41)]
  for (const timezone of [...none, ...otherCase]) {
    const expected = { ok: false, message: 'timezone is not a recognized time zone' }
    assert.deepEqual(checkUserSettings({ timezone }), expected, timezone)
  }
})

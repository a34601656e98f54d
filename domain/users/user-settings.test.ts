import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkUserSettings, userSettings } from './user-settings.ts'

test('every default is a valid value of its setting', () => {
  assert.doesNotThrow(() => checkUserSettings(userSettings({})))
})

test('time zones have their IANA names', () => {
  const names = [
    '',
    ...'UTC Europe/Lisbon America/Argentina/Buenos_Aires Etc/GMT+12 Asia/Kolkata US/Pacific'.split(' '),
  ]
  for (const timezone of names) {
    assert.doesNotThrow(() => checkUserSettings({ timezone }), timezone)
  }
  // Clients look the name up in a table that does not have `asia/tokyo`.
  const otherCase = ['asia/tokyo', 'Asia/tokyo', 'ASIA/TOKYO', 'utc', 'us/pacific']
  const none = ['Europe', 'Europe/Nowhere', '+02:00', 'Europe/Lisbon ', '../etc', 'x'.repeat(41)]
  for (const timezone of [...none, ...otherCase]) {
    assert.throws(
      () => checkUserSettings({ timezone }),
      { message: 'timezone is not a recognized time zone' },
      timezone,
    )
  }
})

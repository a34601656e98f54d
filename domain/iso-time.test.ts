import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsOfIsoTime } from './iso-time.ts'
import { textsIn } from './text/texts-testing.ts'

test('dates and times, in UTC unless they say otherwise', () => {
  const midnight = Date.UTC(2026, 0, 2) / 1000
  for (const text of textsIn(
    '2026-01-02 2026-01-02T00:00 2026-01-02␣00:00:00Z 2026-01-02T01:30:00+01:30 2026-01-01T19:00-0500 ' +
      '2026-01-01T22:00-02',
  )) {
    assert.equal(secondsOfIsoTime(text), midnight, text)
  }
  assert.equal(secondsOfIsoTime('2026-01-02T00:00:00.250Z'), midnight + 0.25)
})

test('anything else is undefined', () => {
  for (const text of [
    '',
    ...textsIn(
      'yesterday 2026-02-31 2026-13-01 2026-01-02T25:00 20260102 2026 1767225600 2026-01-02T ' +
        '2026-01-02T00:00+99:00',
    ),
  ]) {
    assert.equal(secondsOfIsoTime(text), undefined, text)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import { unixSecondsOf } from './dates.ts'
import { textsIn } from './text/texts-testing.ts'

const DATES: Record<string, string> = {
  '2017-06-05': '2017-06-05T00:00:00Z',
  '2017-6-5': '2017-06-05T00:00:00Z',
  '2017-06-05 22:30': '2017-06-05T22:30:00Z',
  '2017-06-05T22:30:15Z': '2017-06-05T22:30:15Z',
  '2017-06-05t22:30:15.999z': '2017-06-05T22:30:15Z',
  '2017-06-05T22:30:00+02:00': '2017-06-05T20:30:00Z',
  '2017-06-05T22:30:00-0530': '2017-06-06T04:00:00Z',
  '20170605': '2017-06-05T00:00:00Z',
  '20170605T223015': '2017-06-05T22:30:15Z',
  'Jun 5th 2017, 10:30PM': '2017-06-05T22:30:00Z',
  'June 5, 2017 12 am': '2017-06-05T00:00:00Z',
  '5 June 2017 at 12:15 pm': '2017-06-05T12:15:00Z',
  'Mon, 05 Jun 2017 22:30:00 GMT': '2017-06-05T22:30:00Z',
  '06/05/2017': '2017-06-05T00:00:00Z',
  '2017-06-05 22:30 America/New_York': '2017-06-06T02:30:00Z',
  '2017-12-05 22:30 america/new_york': '2017-12-06T03:30:00Z',
  '2017-06-05 22:30 PDT': '2017-06-06T05:30:00Z',
  '2017-06-05 22:30 (UTC+2)': '2017-06-05T20:30:00Z',
  '2017-06-05 22:30 Etc/GMT+5': '2017-06-06T03:30:00Z',
  '2021-03-28 02:30 Europe/Berlin': '2021-03-28T01:30:00Z',
  '1496701800': '2017-06-05T22:30:00Z',
  ' 1496701800.75 ': '2017-06-05T22:30:00Z',
  '-1000000': '1969-12-20T10:13:20Z',
}

test('read dates in the forms that people write', () => {
  for (const [text, expected] of Object.entries(DATES)) {
    const seconds = unixSecondsOf(text)
    assert.equal(
      seconds === undefined ? undefined : new Date(seconds * 1000).toISOString(),
      expected.replace('Z', '.000Z'),
      text,
    )
  }
})

test('refuse what is not a date', () => {
  for (const text of [
    '',
    ...textsIn(
      'now tomorrow 10:30 June Jun␣5 2017 17 hello␣2017-06-05 2017-06-05␣foo 2017-06-05␣&␣7 2017-13-01 ' +
        '2017-02-30 2017-00-10 2017-06-05T24:00 2017-06-05T10:60 2017-06-05␣13␣pm 0␣am␣2017-06-05 ' +
        '2017-06-05␣22:30␣Mars/Base 2017-06-05␣22:30␣__proto__/x 2017-06-05␣10:00␣+25:00 2017-06-05␣UTC␣CET ' +
        '2017-06-05␣10:00␣11:00 2017-06-05-07 Jun␣Jul␣2017 Jun␣5␣17 99999-01-01 999999999999 2017-06-05\0',
    ),
  ]) {
    assert.equal(unixSecondsOf(text), undefined, text)
  }
})

test('read every instant that ISO 8601 writes', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
      (date) => {
        assert.equal(unixSecondsOf(date.toISOString()), Math.floor(date.getTime() / 1000))
      },
    ),
  )
})

test('return whole seconds or undefined for every text', () => {
  const pieces = textsIn('2017 06 5 - / : 10:30 am pm Jun Mon , ␣ +02:00 UTC Europe/Berlin T Z .')
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 }),
      (parts) => {
        const seconds = unixSecondsOf(parts.join(''))
        if (seconds !== undefined) assert.match(new Date(seconds * 1000).toISOString(), /^\d{4}-/)
      },
    ),
    { numRuns: 2000 },
  )
})

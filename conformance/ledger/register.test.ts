import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../seed-testing.ts'
import { Register, unknown } from './register.ts'

const span = (sentAt: number, answeredAt: number) => ({ sentAt, answeredAt })

test('concurrent and unknown writes allow several values', () => {
  const register = new Register<number>()
  register.write(1, span(0, 1))
  register.write(2, span(2, Number.POSITIVE_INFINITY))
  assert.deepEqual(register.possible(span(3, 4)), [1, 2])
  register.write(unknown, span(5, 6))
  assert.equal(register.possible(span(7, 8)), undefined)
  register.write(4, span(9, 10))
  assert.deepEqual(register.possible(span(11, 12)), [2, 4])
})

test('sequential writes in any order within their time spans never show an impossible value', () => {
  const anyWrite = fc.record({
    sentAt: fc.nat(40),
    lasts: fc.nat(10),
    within: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const anyReading = anyWrite
  fc.assert(
    fc.property(fc.array(anyWrite, { minLength: 1, maxLength: 8 }), anyReading, (writes, reading) => {
      const register = new Register<number>()
      const momentOf = ({ sentAt, lasts, within }: typeof reading): number => sentAt + lasts * within
      for (const [value, { sentAt, lasts }] of writes.entries()) register.write(value, span(sentAt, sentAt + lasts))
      const now = momentOf(reading)
      const last = writes
        .map((write, value) => ({ value, moment: momentOf(write) }))
        .filter(({ moment }) => moment < now)
        .toSorted((one, other) => one.moment - other.moment)
        .at(-1)
      const possible = register.possible(span(reading.sentAt, reading.sentAt + reading.lasts))
      return possible === undefined || last === undefined || possible.includes(last.value)
    }),
    { numRuns: 2000 },
  )
})

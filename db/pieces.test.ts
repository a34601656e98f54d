import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CountedPauses } from '../event-loop/counted-pauses-testing.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { inPages, PAGE, rowsFor } from './pieces.ts'
import type { Session } from './session.ts'

/** A simulated table of the numbers from 1 to `most`, with a record of its queries. */
function numbersTo(most: number) {
  const asked: [after: number, limit: number][] = []
  const page = (after: number, limit: number): number[] => {
    asked.push([after, limit])
    const first = Math.max(after, 0) + 1
    return Array.from({ length: Math.max(Math.min(limit, most - first + 1), 0) }, (_, index) => first + index)
  }
  return { page, asked }
}

const same = (one: number): number => one

test('SEC-LOOP-3: a list is read in pages, and others are served after each', async () => {
  const { page, asked } = numbersTo(10_000)
  const pauses = new CountedPauses()
  const rows = await inPages(page, same, same, pauses)
  assert.deepEqual(
    rows,
    Array.from({ length: 10_000 }, (_, index) => index + 1),
  )
  assert.ok(asked.every(([, limit]) => limit === PAGE))
  assert.equal(pauses.count, 10)
})

test('a list of less than a page is one statement', async () => {
  for (const length of [0, 1, PAGE - 1]) {
    const { page, asked } = numbersTo(length)
    assert.equal((await inPages(page, same, same, new Pauses())).length, length)
    assert.equal(asked.length, 1)
  }
})

test('a list of exactly two pages ends', async () => {
  const { page } = numbersTo(2 * PAGE)
  assert.equal((await inPages(page, same, same, new Pauses())).length, 2 * PAGE)
})

test('rows for a list: each value is read once, a page at a time, and others are served after each', async () => {
  const asked: number[][] = []
  const all = async (_: string, [before, list]: [string, string]): Promise<number[]> => {
    assert.equal(before, 'a')
    asked.push(JSON.parse(list))
    return JSON.parse(list)
  }
  const session = { dialect: 'sqlite', all } as unknown as Session
  const values = Array.from({ length: PAGE + 1 }, (_, index) => index)
  const pauses = new CountedPauses()
  const find = (of: readonly number[]) => rowsFor(session, of, (list) => list, { before: ['a'], pauses })
  assert.deepEqual(await find([...values, ...values]), values)
  assert.deepEqual(asked, [values.slice(0, PAGE), [PAGE]])
  assert.equal(pauses.count, 2)
  assert.deepEqual(await find([]), [])
  assert.equal(asked.length, 2)
})

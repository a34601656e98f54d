import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '../ids.ts'
import { renderMessage } from '../markdown/render.ts'
import { AlertWordIndex } from './alert-words.ts'

const ID = 7 as UserId

/** Whether a message with this Markdown alerts somebody with these words. */
function alerts(words: readonly string[], content: string): boolean {
  const index = new AlertWordIndex()
  index.set(ID, words)
  const { html } = renderMessage(content, { userOfMention: () => undefined })
  return index.usersIn(html).length > 0
}

test('find whole words, in any case and alphabet', () => {
  for (const [word, content] of [
    ['lunch', 'Lunch?'],
    ['lunch', 'now:LUNCH!'],
    ['lunch', '(lunch)'],
    ['Straße', 'in der STRASSE'],
    ['é', 'e\u0301'],
    ['İstanbul', 'İSTANBUL'],
    ['обед', 'Обед.'],
    ['new york', 'in New York, too'],
    ['c++', 'I like C++, mostly'],
    ['@here', 'all @here now'],
    ['a & b', 'say A & B'],
    ['lunch', '* one\n* lunch'],
    ['🔥', 'it burns 🔥'],
    ['lunch', '**lunch**time is not, but *lunch* is'],
  ] as const) {
    assert.ok(alerts([word], content), `${word} in ${content}`)
  }
})

test('do not find parts of words', () => {
  for (const [word, content] of [
    ['lunch', 'lunchtime'],
    ['lunch', 'prelunch'],
    ['lunch', 'lunch_break'],
    ['lunch', 'lunch5'],
    ['e', 'e\u0301'],
    ['new york', 'new yorkshire'],
    ['new york', 'new\n\nyork'],
    ['lunch', '**lun**chtime'],
    ['fire', 'great 🔥'],
  ] as const) {
    assert.ok(!alerts([word], content), `${word} in ${content}`)
  }
})

test('find nothing in code and links', () => {
  for (const content of [
    '`lunch`',
    '```\nlunch\n```',
    'https://example.com/lunch',
    '[lunch](https://example.com)',
    '[menu](https://example.com/lunch)',
  ]) {
    assert.ok(!alerts(['lunch'], content), content)
  }
  assert.ok(alerts(['lunch'], '`code` lunch [menu](https://example.com) `code`'))
  assert.ok(alerts(['lunch'], '`code` and [a link](https://example.com) before lunch'))
})

test('know the present words of each user', () => {
  const index = new AlertWordIndex()
  const [one, two] = [3 as UserId, 5 as UserId]
  index.set(two, ['lunch', 'lunchtime'])
  index.set(one, ['Lunch'])
  assert.deepEqual(index.usersIn('<p>lunch</p>'), [one, two])
  assert.deepEqual(index.usersIn('<p>lunchtime</p>'), [two])
  index.set(two, ['lunchtime'])
  assert.deepEqual(index.usersIn('<p>lunch</p>'), [one])
  assert.deepEqual(index.usersIn('<p>lunchtime</p>'), [two])
  index.set(one, [])
  index.set(two, [])
  assert.deepEqual(index.usersIn('<p>lunch lunchtime</p>'), [])
})

/**
 * Milliseconds of the fastest of several rounds. Costs that grow with the number of users become a hundred or a
 * thousand times as much below; the limits of ratios are far from both, so that a busy machine does not reach them.
 */
function best(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 7; round++) {
    const start = performance.now()
    work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

test('the cost depends on the text, not on the number of users and words', () => {
  const html = `<p>${'some words of a usual message '.repeat(300)}</p>`
  const withUsers = (count: number): AlertWordIndex => {
    const index = new AlertWordIndex()
    for (let id = 1; id <= count; id++)
      index.set(id as UserId, [`word${id}`, `messages from ${id}`, `some other ${id}`])
    return index
  }
  const [few, many] = [withUsers(10), withUsers(10_000)]
  const costOfFew = best(() => few.usersIn(html))
  assert.ok(best(() => many.usersIn(html)) < costOfFew * 50, 'ten thousand users cost about as much as ten')
})

test('a text full of alert words is searched up to a limit (DIFF-ALERT-WORDS, SEC-RENDER-7)', () => {
  const text = 'a.'.repeat(5000)
  const words = Array.from({ length: 100 }, (_, length) => text.slice(0, length + 1))
  const withUsers = (count: number): AlertWordIndex => {
    const index = new AlertWordIndex()
    for (let id = 1; id <= count; id++) index.set(id as UserId, words)
    return index
  }
  const [one, many] = [withUsers(1), withUsers(100)]
  const costOfOne = best(() => one.usersIn(text))
  assert.ok(best(() => many.usersIn(text)) < costOfOne * 30, 'a hundred users cost about as much as one')
  one.set(ID, ['lunch'])
  assert.deepEqual(one.usersIn(`lunch ${text}`), [1, ID])
  assert.deepEqual(one.usersIn(`${text} lunch`), [1])
})

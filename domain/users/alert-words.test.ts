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
    ['lunch', '**lunch**time is not, but *lunch* is'],
  ] as const) {
    assert.ok(alerts([word], content), `${word} in ${content}`)
  }
})

test('find no part of a word', () => {
  for (const [word, content] of [
    ['lunch', 'lunchtime'],
    ['lunch', 'prelunch'],
    ['lunch', 'lunch_break'],
    ['lunch', 'lunch5'],
    ['e', 'e\u0301'],
    ['new york', 'new yorkshire'],
    ['new york', 'new\n\nyork'],
    ['lunch', '**lun**chtime'],
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

test('know what each user has now', () => {
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

test('cost follows the text, not the number of users and words', () => {
  const html = `<p>${'some words of a usual message '.repeat(300)}</p>`
  const withUsers = (count: number): AlertWordIndex => {
    const index = new AlertWordIndex()
    for (let id = 1; id <= count; id++)
      index.set(id as UserId, [`word${id}`, `messages from ${id}`, `some other ${id}`])
    return index
  }
  const best = (index: AlertWordIndex): number => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 7; round++) {
      const start = performance.now()
      index.usersIn(html)
      least = Math.min(least, performance.now() - start)
    }
    return least
  }
  const [few, many] = [withUsers(10), withUsers(10_000)]
  best(few)
  assert.ok(best(many) < best(few) * 8 + 2, 'ten thousand users cost about as much as ten')
})

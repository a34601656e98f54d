import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CheckResult } from '../kernel/check.ts'
import { comparisonOf } from '../kernel/comparison.ts'
import { findingOf, merged } from '../kernel/finding.ts'
import { htmlReport } from './html.ts'
import { exchange, failed, reportOf } from './report-testing.ts'

const messages = Array.from({ length: 60 }, (_, id) => ({ id, subject: `topic ${id}`, content: 'x'.repeat(300) }))

const pageOf = (results: readonly CheckResult[]): string => htmlReport(reportOf(results))

/** Words instead of numbers, so that no two findings say the same. */
function word(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

describe('the page of a run', () => {
  test('with 534 failures it has all of them in at most 500 kB', () => {
    const results = Array.from({ length: 534 }, (_, index) => {
      const expected = `\`subject\` is ${word(index)}, as it was sent`
      return failed(`area/${word(index)}`, [
        findingOf('ENV-6', 'An answer is an object.', expected, exchange({ messages })),
      ])
    })
    const page = pageOf(results)
    assert.ok(page.length <= 500_000, `${page.length}`)
    assert.match(page, /<h1 class="failed">Failed, 534 of 534 checks failed: /)
    for (const { check, findings } of results) {
      assert.ok(page.includes(`id="${check.id}"`))
      assert.ok(page.includes(findings[0]?.expected.split('` ')[1] ?? ''), 'each says what was expected')
    }
  })

  test('lists a finding of several checks once, with its number', () => {
    const found = [1, 2, 3].map((id) =>
      findingOf('ENV-6', 'An answer is an object.', `\`id\` is ${id} of "${id}"`, exchange({ id: 7 })),
    )
    const page = pageOf([failed('area/one', merged(found)), failed('area/two', found.slice(0, 1))])
    assert.match(page, /<b>ENV-6<\/b> <b>3 times<\/b>/)
    assert.equal(page.split('<div class="sides">').length - 1, 1)
    assert.match(page, /The same in 1 more check: <a id="area\/two" href="#area\/two">area\/two<\/a>/)
  })

  test('shows actions as steps', () => {
    const actions = [{ kind: 'send', who: 2, topic: 'plans' }, { kind: 'mark all as read' }]
    const finding = findingOf('ENV-6', 'S.', `the same; but no, after ${JSON.stringify(actions)}`, exchange({}))
    assert.equal(finding.expected, 'the same; but no')
    const page = pageOf([failed('area/one', [finding])])
    assert.match(page, /<ol><li>send: who 2, topic &quot;plans&quot;<\/li><li>mark all as read<\/li><\/ol>/)
  })
})

describe('shows expected and actual values side by side', () => {
  const marked = (expected: string, body: unknown): string[] =>
    (comparisonOf(expected, body, JSON.stringify(body)) ?? [])
      .filter(({ isMarked }) => isMarked)
      .map(({ text }) => text.trim())

  test('marks the named field, or the place where a schema complains', () => {
    assert.deepEqual(marked('`subject` is "fields"', { id: 1, subject: 'else' }), ['"subject": "else"'])
    const complaint = 'an answer as the contract describes it; but /messages/1/id must be integer, and is "b"'
    assert.deepEqual(marked(complaint, { messages: [{ id: 1 }, { id: 'b' }] }), ['"id": "b"'])
    const missing = { code: 'BAD_REQUEST', var_name: 'type' }
    assert.deepEqual(marked('REQUEST_VARIABLE_MISSING and `var_name` "type"', missing), ['"code": "BAD_REQUEST",'])
    assert.deepEqual(marked("the answer must have required property 'msg', and is {}", { result: 'x' }), ['(no "msg")'])
  })

  test('shows the context within a long answer', () => {
    const answer = comparisonOf('`subject` is "topic"', { messages }, JSON.stringify({ messages })) ?? []
    assert.ok(answer.length <= 41 && answer.every(({ text }) => text.length <= 250))
    assert.ok(answer.some(({ isMarked }) => isMarked) && answer.some(({ text }) => text === '…'))
  })
})

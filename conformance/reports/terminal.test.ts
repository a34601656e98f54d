import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingOf } from '../kernel/finding.ts'
import { exchange, failed, reportOf } from './report-testing.ts'
import { ResultLines, summaryText } from './terminal.ts'

test('a cause is described in full once, for all checks, and counted at the end', () => {
  const broken = exchange({ result: 'error' }, 500)
  const failure = failed('edits/content', [findingOf('EDIT-1', 'An edit shows.', 'message 7, edited', broken)])
  const stopped = failed('reactions/add', [findingOf('REACT-1', 'It is there.', 'a reaction', broken)])
  const other = failed('users/own', [findingOf('USER-1', 'It is whole.', '`email`', exchange({ id: 8 }))])
  const lines = new ResultLines(false)
  const place = { done: 1, of: 3 }
  assert.match(
    lines.of(failure, place),
    /EDIT-1: An edit shows\.\n.*expected: message 7, edited\n.*GET .*answer: .*curl/s,
  )
  const [, short, ...rest] = lines.of(stopped, place).split('\n')
  assert.deepEqual(
    [short, rest],
    ['      REACT-1: the same as in edits/content, with GET /api/v1/messages', []],
    'the second check points to the first',
  )
  assert.match(lines.of(other, place), /expected: `email`/)
  assert.match(
    summaryText(reportOf([other, failure, stopped])),
    /3 checks failed; causes: 2\n +2 {2}GET \/api\/v1\/messages is answered HTTP 500 \(edits\/content, reactions\/add\)\n +1 {2}`email` \(users\/own\)\n/,
  )
  assert.doesNotMatch(summaryText(reportOf([other])), /causes/)
})

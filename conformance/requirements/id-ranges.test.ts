import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsInRange, inRanges } from './id-ranges.ts'

test('two ids that follow each other are no range, nor are ids with letters', () => {
  assert.deepEqual(inRanges(['ENV-1', 'ENV-2', 'ENV-9', 'ENV-10', 'ENV-11', 'LEVEL-1a', 'LEVEL-2a', 'LEVEL-3a']), [
    'ENV-1',
    'ENV-2',
    'ENV-9..11',
    'LEVEL-1a',
    'LEVEL-2a',
    'LEVEL-3a',
  ])
})

test('expand a range, and leave everything else', () => {
  const texts = ['EV-ALERT-9..11', 'LEVEL-172a', 'LEVEL-SUBJECT', 'ENV-3..2']
  assert.deepEqual(texts.map(idsInRange), [
    ['EV-ALERT-9', 'EV-ALERT-10', 'EV-ALERT-11'],
    ['LEVEL-172a'],
    ['LEVEL-SUBJECT'],
    [],
  ])
})

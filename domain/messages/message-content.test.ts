import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { unlessRefused } from '../text/texts-testing.ts'
import { MAX_MESSAGE_LENGTH, normalizeContent } from './message-content.ts'

const NOTICE = '\n[message truncated]'

test('remove trailing white space and leading newlines, keep indentation', () => {
  assert.equal(normalizeContent('\n\r\n    a\n b \t\n'), '    a\n b')
})

test('refuse blank content and null bytes', () => {
  for (const blank of ['', ' ', '\n\t ', '\u00a0']) {
    assert.throws(() => normalizeContent(blank), { message: 'Message must not be empty' })
  }
  for (const raw of ['\0', 'a\0b', `${'a'.repeat(MAX_MESSAGE_LENGTH)}\0`]) {
    assert.throws(() => normalizeContent(raw), { message: 'Message must not contain null bytes' })
  }
})

test('cut content only over the limit', () => {
  const longest = '😀'.repeat(MAX_MESSAGE_LENGTH)
  assert.equal(normalizeContent(`${longest}\n`), longest)
  assert.equal(normalizeContent(`${longest}a`), '😀'.repeat(MAX_MESSAGE_LENGTH - NOTICE.length) + NOTICE)
})

test('replace half surrogate pairs, which no database stores', () => {
  assert.equal(normalizeContent('a\ud83d'), 'a\ufffd')
})

test('accept only content that it would accept unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (raw) => {
      const content = unlessRefused(normalizeContent, raw)
      if (content !== undefined) assert.equal(normalizeContent(content), content)
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import { contentTypeOf } from './content-type.ts'

const TEXT = 'text/plain; charset=utf-8'
const UNKNOWN = 'application/octet-stream'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('detect the type from the content', async () => {
  const expected: [string, string | Buffer, string][] = [
    ['PNG', PNG, 'image/png'],
    ['GIF that goes on as HTML', 'GIF89a/*<script>alert(1)</script>*/=1;', 'image/gif'],
    ['PDF', '%PDF-1.7\n%âãÏÓ\n', 'application/pdf'],
    ['HTML', '<!DOCTYPE html><script>alert(1)</script>', TEXT],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', TEXT],
    ['XML', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', UNKNOWN],
    ['text', 'Größe: 日本語 🎉\r\n\tand so on', TEXT],
    ['Latin-1', Buffer.from('Größe', 'latin1'), UNKNOWN],
    ['zeros', Buffer.alloc(100), UNKNOWN],
    ['nothing', '', UNKNOWN],
  ]
  for (const [what, content, type] of expected)
    assert.equal(await contentTypeOf(Buffer.from(content), true), type, what)
})

test('a character cut at the end of the head does not prevent text', async () => {
  const head = Buffer.from('x🎉')
  for (const cut of [1, 2, 3]) {
    assert.equal(await contentTypeOf(head.subarray(0, head.length - cut), false), TEXT)
    assert.equal(await contentTypeOf(head.subarray(0, head.length - cut), true), UNKNOWN)
  }
})

test('all bytes have a type, never an active one, in bounded time', async () => {
  const beginnings = [
    '',
    'PK\x03\x04',
    'OggS',
    '0&\xb2u\x8ef\xcf\x11',
    'ID3',
    '\x1aE\xdf\xa3',
    'II*\0',
    'RIFF',
    '<?xml ',
    '\0\0\0\x18ftyp',
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 4096 }), async (beginning, rest) => {
      const type = await contentTypeOf(Buffer.concat([Buffer.from(beginning, 'latin1'), rest]), false)
      assert.match(type, /^[\w.+-]+\/[\w.+-]+(; charset=utf-8|; codecs=\w+)?$/)
      assert.doesNotMatch(type, /xml|html|svg|script/)
    }),
    { numRuns: 300 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachmentPathIdsIn, isShownInPlace, storageKeyOf } from './attachment.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const OTHER = 'f'.repeat(32)

test('find the files that a message refers to, each once, however the address is written', () => {
  const expected: Record<string, string[]> = {
    'no file': [],
    [`[a](/user_uploads/1/${KEY}/a.png)`]: [`1/${KEY}/a.png`],
    [`see https://chat.example/user_uploads/1/${KEY}/a.png.`]: [`1/${KEY}/a.png`],
    [`[日](/user_uploads/1/${KEY}/%E6%97%A5.png)`]: [`1/${KEY}/日.png`],
    [`[日](/user_uploads/1/${KEY}/日.png)`]: [`1/${KEY}/日.png`],
    [`/user_uploads/1/${KEY}/u\u0308.png`]: [`1/${KEY}/ü.png`],
    [`![](/user_uploads/1/${KEY}/a.png) /user_uploads/1/${OTHER}/b /user_uploads/1/${KEY}/a.png`]: [
      `1/${KEY}/a.png`,
      `1/${OTHER}/b`,
    ],
    [`/user_uploads/1/${KEY}/%ff.png`]: [],
    [`/user_uploads/1/${KEY}/`]: [],
    [`/user_uploads/1/${KEY}0/a.png`]: [],
    [`/user_uploads/1/../${KEY}/a.png`]: [],
    [`/user_uploads/thumbnail/1/${KEY}/a.png`]: [],
  }
  for (const [content, pathIds] of Object.entries(expected)) {
    assert.deepEqual(attachmentPathIdsIn(content), pathIds, content)
  }
})

test('know where the bytes of a file are', () => {
  assert.equal(storageKeyOf(`1/${KEY}/a.png`), KEY)
  assert.equal(storageKeyOf('nonsense'), '')
})

test('show in place what cannot run, and nothing else', () => {
  for (const type of ['image/png', 'image/jpeg', 'audio/mpeg', 'video/mp4']) assert.ok(isShownInPlace(type), type)
  for (const type of [
    'image/svg+xml',
    'text/html',
    'application/xml',
    'application/pdf',
    'text/plain; charset=utf-8',
  ]) {
    assert.ok(!isShownInPlace(type), type)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShownInPlace, storageKeyOf } from './attachment.ts'

const KEY = '0123456789abcdef0123456789abcdef'

test('know where the bytes of a file are', () => {
  assert.equal(storageKeyOf(`1/${KEY}/a.png`), KEY)
  assert.equal(storageKeyOf('nonsense'), '')
})

test('show inline only what cannot run', () => {
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

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { EMOJI_TABLE, emojiTable, readEmojiSources } from './emoji-table.ts'

test('the emoji table equals that of the data package', () => {
  const kept = JSON.parse(readFileSync(EMOJI_TABLE, 'utf8'))
  assert.deepEqual(Object.entries(kept), Object.entries(emojiTable(readEmojiSources())), 'run scripts/emoji-table.ts')
})

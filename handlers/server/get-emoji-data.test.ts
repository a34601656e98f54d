import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emojiCodeOf } from '../../domain/emoji/unicode.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('emoji data', (dialect) => {
  const parley = sharedParley(dialect)

  test('GET /static/emoji-data.json: is at the address in POST /register, without credentials, and cacheable', async () => {
    const server = await parley()
    const state = await server.as('member').must('POST', '/register', { fetch_event_types: ['realm'] })
    const answer = await fetch(state.server_emoji_data_url)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.match(answer.headers.get('cache-control') ?? '', /public, max-age=\d+/)
    const { code_to_names: names } = (await answer.json()) as { code_to_names: Record<string, string[]> }
    assert.equal(names['1f44d']?.[0], '+1')
    assert.ok(names['1f44d']?.includes('thumbs_up'))
    for (const [code, [canonical = '']] of Object.entries(names)) assert.equal(emojiCodeOf(canonical), code)
  })
})

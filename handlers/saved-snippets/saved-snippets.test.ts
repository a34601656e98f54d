import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAVED_SNIPPETS } from '../../actions/saved-snippets.ts'
import { savedSnippets } from '../../db/repositories/saved-snippets.ts'
import type { UserId } from '../../domain/ids.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

const path = '/saved_snippets'
const long = { title: '\u{1f419}'.repeat(60), content: `${'\u{1f419}'.repeat(9999)}\n` }

onEachDatabase('saved snippets', (dialect) => {
  const parley = sharedParley(dialect)

  test('valid texts are stored exactly', async () => {
    const user = (await parley()).as('guest')
    await user.must('POST', path, long)
    const { saved_snippets } = await user.must('GET', path)
    assert.deepEqual(saved_snippets[0], { ...saved_snippets[0], ...long })
  })

  test('an account has a limited number and size of them (DIFF-SNIPPETS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { count, bytes } = SAVED_SNIPPETS.most
    const keep = (many: number, given: typeof long) =>
      server.inDatabase((session) => {
        const snippets = Array.from({ length: many }, () => ({ ...given, date_created: 1 }))
        return new savedSnippets.writer(session).insert(user.userId as UserId, snippets)
      })
    const { saved_snippet_id: id } = await user.must('POST', path, { title: 'x', content: 'x' })
    const longs = Math.floor(bytes / Buffer.byteLength(long.title + long.content))
    await keep(longs, long)
    for (const { body } of [await user.post(path, long), await user.patch(`${path}/${id}`, long)]) {
      assert.match(body.msg, /^Your saved snippets are too long/)
    }
    await keep(count - longs - 1, { title: 'x', content: 'x' })
    assert.match((await user.post(path, { title: 'x', content: 'x' })).body.msg, /^You have too many saved snippets/)
    assert.equal((await user.must('GET', path)).saved_snippets.length, count)
  })
})

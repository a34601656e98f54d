import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAVED_SNIPPETS } from '../../actions/keep-saved-snippets.ts'
import { savedSnippets } from '../../db/repositories/saved-snippets.ts'
import type { UserId } from '../../domain/ids.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

const path = '/saved_snippets'
const text = { title: 'Welcome', content: '**Welcome!**\n' }
const long = { title: '\u{1f419}'.repeat(60), content: '\u{1f419}'.repeat(10_000) }

onEachDatabase('saved snippets', (dialect) => {
  const parley = sharedParley(dialect)

  test('guests and bots have them, too; blanks around titles go, whatever fits stays, and no change tells nobody', async () => {
    const server = await parley()
    for (const user of [await server.newUser(), server.as('guest'), server.as('bot')]) {
      const { queue_id, last_event_id } = await user.must('POST', '/register', { event_types: ['saved_snippets'] })
      const { saved_snippet_id: id } = await user.must('POST', path, { ...text, title: ' Welcome\n' })
      await user.must('POST', path, long)
      await user.must('PATCH', `${path}/${id}`, {})
      await user.must('PATCH', `${path}/${id}`, { title: 'Hello ' })
      const { saved_snippets } = await user.must('GET', path)
      const texts = saved_snippets.map(({ title, content }: typeof text) => ({ title, content }))
      assert.deepEqual(texts, [{ ...text, title: 'Hello' }, long])
      const { events } = await user.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
      const ops = events.map(({ op }: { op: string }) => op)
      assert.deepEqual(ops, ['add', 'add', 'update'])
    }
  })

  test('texts are checked (SNIPPET-8), and an account keeps so many, and so much (DIFF-SNIPPETS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const one = `${path}/${(await user.must('POST', path, text)).saved_snippet_id}`
    for (const [given, msg] of [
      [{ title: ' ' }, 'title cannot be blank'],
      [{ title: 'x'.repeat(61) }, 'title is too long (limit: 60 characters)'],
      [{ content: '\n' }, 'content cannot be blank'],
      [{ content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
    ] as const) {
      assert.equal((await user.post(path, { ...text, ...given })).body.msg, msg)
      assert.equal((await user.patch(one, given)).body.msg, msg)
    }
    const { count, bytes } = SAVED_SNIPPETS.most
    const keep = (many: number, given: typeof text) =>
      server.inDatabase((session) => {
        const snippets = Array.from({ length: many }, () => ({ ...given, date_created: 1 }))
        return new savedSnippets.writer(session).insert(user.userId as UserId, snippets)
      })
    const longs = Math.floor(bytes / Buffer.byteLength(long.title + long.content))
    await keep(longs, long)
    for (const { body } of [await user.post(path, long), await user.patch(one, long)]) {
      assert.match(body.msg, /^Your saved snippets are too long/)
    }
    await user.must('DELETE', one)
    await keep(count - longs, text)
    assert.match((await user.post(path, text)).body.msg, /^You have too many saved snippets/)
    assert.equal((await user.must('GET', path)).saved_snippets.length, count)
  })
})

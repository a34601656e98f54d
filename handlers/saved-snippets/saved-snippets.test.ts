import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_SAVED_SNIPPET_BYTES, MAX_SAVED_SNIPPETS } from '../../actions/keep-saved-snippets.ts'
import { savedSnippets } from '../../db/repositories/saved-snippets.ts'
import type { UserId } from '../../domain/ids.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const path = '/saved_snippets'
const text = { title: 'Welcome', content: '**Welcome!**\n' }

onEachDatabase('saved snippets', (dialect) => {
  const parley = sharedParley(dialect)
  const create = async (user: ApiClient, given: object = text): Promise<number> =>
    (await user.must('POST', path, { ...given })).saved_snippet_id
  const listed = async (user: ApiClient) => (await user.must('GET', path)).saved_snippets

  test('kept, changed and deleted, told to their owner alone; guests and bots have them, too', async () => {
    const server = await parley()
    const other = await server.newUser()
    const register = (one: ApiClient) => one.must('POST', '/register', { event_types: ['saved_snippets'] })
    const hear = async (one: ApiClient, { queue_id, last_event_id }: Awaited<ReturnType<typeof register>>) =>
      (await one.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events.map(
        ({ id: _, type: __, ...event }: { id: number; type: string }) => event,
      )
    const others = await register(other)
    for (const user of [await server.newUser(), server.as('guest'), server.as('bot')]) {
      const queue = await register(user)
      assert.deepEqual(queue.saved_snippets, [])
      const first = await create(user, { ...text, title: ' Welcome\n' })
      const second = await create(user, { title: '\u{1f419}'.repeat(60), content: '\u{1f419}'.repeat(10_000) })
      const [made, long] = await listed(user)
      assert.deepEqual(made, { id: first, ...text, date_created: made.date_created })
      assert.ok(Math.abs(made.date_created - Date.now() / 1000) < 60)
      await user.must('PATCH', `${path}/${first}`, {})
      await user.must('PATCH', `${path}/${first}`, { title: 'Hello ' })
      await user.must('PATCH', `${path}/${first}`, { content: 'Hi' })
      const changed = { ...made, title: 'Hello', content: 'Hi' }
      assert.deepEqual((await register(user)).saved_snippets, [changed, long])
      await user.must('DELETE', `${path}/${second}`)
      assert.deepEqual(await listed(user), [changed])
      assert.deepEqual(await hear(user, queue), [
        { op: 'add', saved_snippet: made },
        { op: 'add', saved_snippet: long },
        { op: 'update', saved_snippet: { ...changed, content: text.content } },
        { op: 'update', saved_snippet: changed },
        { op: 'remove', saved_snippet_id: second },
      ])
    }
    assert.deepEqual(await hear(other, others), [])
  })

  test('those of others, and those that are not there, answer alike (SNIPPET-7)', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    for (const unknown of [await create(user), 99_999, '99999999999999999999']) {
      for (const { status, body } of [
        await other.patch(`${path}/${unknown}`, { title: '' }),
        await other.patch(`${path}/${unknown}`, {}),
        await other.delete(`${path}/${unknown}`),
      ]) {
        assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'Saved snippet does not exist.'])
      }
    }
    assert.equal((await listed(user)).length, 1)
  })

  test('texts are checked (SNIPPET-8), and an account keeps so many, and so much (DIFF-SNIPPETS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const id = await create(user)
    for (const [given, msg] of [
      [{ title: ' ' }, 'title cannot be blank'],
      [{ title: 'x'.repeat(61) }, 'title is too long (limit: 60 characters)'],
      [{ content: '\n' }, 'content cannot be blank'],
      [{ content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
    ] as const) {
      assert.equal((await user.post(path, { ...text, ...given })).body.msg, msg)
      assert.equal((await user.patch(`${path}/${id}`, given)).body.msg, msg)
    }
    const big = { ...text, content: '\u{1f419}'.repeat(10_000) }
    const bigs = Math.floor(MAX_SAVED_SNIPPET_BYTES / Buffer.byteLength(big.content))
    const keep = (many: number, given: typeof text) =>
      server.inDatabase((session) => {
        const snippets = Array.from({ length: many }, () => ({ ...given, date_created: 1 }))
        return new savedSnippets.writer(session).insert(user.userId as UserId, snippets)
      })
    await keep(bigs, big)
    for (const { body } of [await user.post(path, big), await user.patch(`${path}/${id}`, big)]) {
      assert.match(body.msg, /^Your saved snippets are too long/)
    }
    await user.must('DELETE', `${path}/${id + 1}`)
    await keep(MAX_SAVED_SNIPPETS - bigs, text)
    assert.match((await user.post(path, text)).body.msg, /^You have too many saved snippets/)
    assert.equal((await listed(user)).length, MAX_SAVED_SNIPPETS)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, startParley } from '../../server/testing.ts'

const MESSAGES = 6000

onEachDatabase('searches that have to look at very many messages', (dialect) => {
  test('let others be served meanwhile', async (t) => {
    const server = await startParley(dialect)
    t.after(() => server.stop())
    const reader = await server.newUser()
    const text = `the quick brown fox ${'jumps over a lazy dog '.repeat(20)}`
    const { id } = await reader.must('POST', '/messages', { type: 'direct', to: [reader.userId], content: text })
    await server.inDatabase(async ({ knex }) => {
      const row = await knex('message').where({ id }).first()
      const first = id + 1
      for (let start = 0; start < MESSAGES; start += 50) {
        const rows = Array.from({ length: 50 }, (_, index) => ({ ...row, id: first + start + index }))
        await knex('message').insert(rows)
      }
    })

    let answered = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; answered++) await server.as('owner').must('GET', '/users/me')
    })()
    const narrow = [{ operator: 'search', operand: '"quick brown"', negated: true }]
    const { messages } = await reader.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow,
    })
    isOver = true
    assert.deepEqual(messages, [], 'each of them had to be looked at')
    // What was on its way before the search began and when it ended are one or two of them.
    assert.ok(answered >= 4, `${answered} answers meanwhile`)
    await others
  })
})

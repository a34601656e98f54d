import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('wildcards in direct messages', (dialect) => {
  const parley = sharedParley(dialect)

  test('is:mentioned and its negation match the flags, where a wildcard means everybody (MSG-FIELD-29)', async () => {
    const server = await parley()
    const [reader, writer] = [await server.newUser(), await server.newUser()]
    for (const content of ['@**all** of us two', '@**topic** means nobody here', '`@**all**` is code']) {
      const { id } = await writer.must('POST', '/messages', { type: 'direct', to: [reader.userId], content })
      const isMeant = content.startsWith('@**all**')
      const { flags } = (await reader.must('GET', `/messages/${id}`)).message
      assert.equal(flags.includes('wildcard_mentioned'), isMeant, content)
      for (const negated of [false, true]) {
        const narrow = [{ operator: 'is', operand: 'mentioned', negated }]
        const range = { anchor: 'newest', num_before: 10, num_after: 0 }
        for (const which of [{ message_ids: [id] }, range]) {
          const { messages } = await reader.must('GET', '/messages', { ...which, narrow })
          const ids: number[] = messages.map((message: { id: number }) => message.id)
          assert.equal(ids.includes(id), isMeant !== negated, `${negated ? 'not ' : ''}mentioned: ${content}`)
        }
      }
    }
  })
})

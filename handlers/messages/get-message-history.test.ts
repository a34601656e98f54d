import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /messages/{message_id}/history', (dialect) => {
  const parley = sharedParley(dialect)

  test('each version is compared with the one before: what came is inserted, what went is deleted', async () => {
    const member = (await parley()).as('member')
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: '*a*' })
    await member.must('PATCH', `/messages/${id}`, { content: 'b' })
    const { message_history: history } = await member.must('GET', `/messages/${id}/history`)
    assert.deepEqual(
      history.map((version: { content_html_diff?: string }) => version.content_html_diff),
      [
        undefined,
        '<p><span class="highlight_text_inserted">b</span> <span class="highlight_text_deleted">a</span></p>',
      ],
    )
  })
})

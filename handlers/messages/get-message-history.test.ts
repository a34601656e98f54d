import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /messages/{message_id}/history', (dialect) => {
  const parley = sharedParley(dialect)

  test('all versions, the first as it was sent, each with what came before', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const { id } = await member.must('POST', '/messages', { type: 'channel', to: 'general', topic: '', content: '*a*' })
    for (const content of ['b', 'b', '**c**']) await member.must('PATCH', `/messages/${id}`, { content })
    const { message_history: history } = await other.must('GET', `/messages/${id}/history`)
    const { message } = await other.must('GET', `/messages/${id}`)
    assert.deepEqual(
      history.map((version: { content: string; rendered_content: string; prev_content?: string }) => [
        version.content,
        version.rendered_content,
        version.prev_content,
      ]),
      [
        ['*a*', '<p><em>a</em></p>', undefined],
        ['b', '<p>b</p>', '*a*'],
        ['b', '<p>b</p>', 'b'],
        ['**c**', '<p><strong>c</strong></p>', 'b'],
      ],
    )
    assert.deepEqual(
      history.map((version: { content_html_diff?: string }) => version.content_html_diff),
      [
        undefined,
        '<p><span class="highlight_text_inserted">b</span> <span class="highlight_text_deleted">a</span></p>',
        '<p>b</p>',
        '<p><strong><span class="highlight_text_inserted">c</span></strong><span class="highlight_text_deleted">b</span></p>',
      ],
    )
    const [sent, ...edits] = history
    assert.deepEqual([sent.timestamp, sent.user_id, sent.topic], [message.timestamp, member.userId, 'general chat'])
    for (const [index, edit] of edits.entries()) {
      assert.equal(edit.prev_rendered_content, history[index].rendered_content)
      assert.equal(edit.user_id, member.userId)
    }
    assert.equal(edits.at(-1).timestamp, message.last_edit_timestamp)
    const { message_history: modern } = await other.must('GET', `/messages/${id}/history`, {
      allow_empty_topic_name: true,
    })
    assert.deepEqual([...new Set(modern.map((version: { topic: string }) => version.topic))], [''])
  })

  test('a message that was never edited has one version; a direct one has no topic', async () => {
    const server = await parley()
    const member = server.as('member')
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'x' })
    const { message_history: history } = await member.must('GET', `/messages/${id}/history`)
    assert.equal(history.length, 1)
    assert.equal(history[0].topic, '')
    assert.ok(!('prev_content' in history[0]))
  })

  test('what one may not see does not exist', async () => {
    const server = await parley()
    const member = server.as('member')
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'x' })
    const absent = await server.as('owner').get('/messages/999999999/history')
    assert.equal(absent.body.msg, 'Invalid message(s)')
    assert.deepEqual((await server.as('owner').get(`/messages/${id}/history`)).body, absent.body)
  })
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'
import { age, edit, read, send } from './edits-testing.ts'

onEachDatabase('PATCH /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('prev_content_sha256 may have capitals (MSG-EDIT-23)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, 'grüße')
    const prev_content_sha256 = createHash('sha256').update('grüße').digest('hex').toUpperCase()
    await member.must('PATCH', `/messages/${id}`, { content: 'y', prev_content_sha256 })
  })

  test('a message that is in its place already has nothing to change (MSG-EDIT-57)', async () => {
    const member = (await parley()).as('member')
    const id = await send(member)
    const { stream_id } = await read(member, id)
    const { status, body } = await edit(member, id, { stream_id })
    assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Nothing to change'])
  })

  test('the present topic of a message may be sent along, as clients do', async () => {
    const member = (await parley()).as('member')
    const [id, nameless] = [await send(member), await send(member, 'x', { topic: '' })]
    for (const propagate_mode of ['change_one', 'change_later', 'change_all'])
      await member.must('PATCH', `/messages/${id}`, { content: propagate_mode, topic: ' e ', propagate_mode })
    await member.must('PATCH', `/messages/${nameless}`, { content: 'y', topic: '(no topic)' })
  })

  test('works while its earlier contents have at most 2,000,000 bytes (DIFF-EDIT-HISTORY)', async () => {
    const member = (await parley()).as('member')
    const text = '漢'.repeat(9_900)
    const id = await send(member, text)
    const { rendered_content: html } = (await member.must('GET', `/messages/${id}/history`)).message_history[0]
    const most = Math.floor(2_000_000 / Buffer.byteLength(text + html))
    for (let edits = 0; edits < most; edits++) await member.must('PATCH', `/messages/${id}`, { content: text })
    const { status, body } = await edit(member, id, { content: 'y' })
    assert.deepEqual([status, body.msg], [400, 'This message has been edited too many times'])
    assert.equal((await read(member, id)).content, text)
  })

  test('the time limit has some seconds of grace (MSG-EDIT-34)', async () => {
    const server = await parley()
    const member = server.as('member')
    const id = await send(member)
    await age(server, [id], 610)
    assert.equal((await edit(member, id, { content: 'in time' })).status, 200)
    await age(server, [id], 30)
    const { status, body } = await edit(member, id, { content: 'too late' })
    assert.deepEqual([status, body.msg], [400, 'The time limit for editing this message has passed'])
    assert.equal((await read(member, id)).content, 'in time')
    const limit = (message_content_edit_limit_seconds: unknown) =>
      server.as('owner').must('PATCH', '/realm', { message_content_edit_limit_seconds })
    await limit('"unlimited"')
    assert.equal((await edit(member, id, { content: 'without a limit' })).status, 200)
    await limit(600)
  })

  test('an edit does not create a widget', async () => {
    const member = (await parley()).as('member')
    const id = await send(member, 'no widget')
    await member.must('PATCH', `/messages/${id}`, { content: '/poll Tea?' })
    assert.deepEqual((await read(member, id)).submessages, [])
  })

  describe('mentions', () => {
    test('do not reach late subscribers', async () => {
      const server = await parley()
      const member = server.as('member')
      const { name: to } = await server.newChannel([member])
      const id = await send(member, 'x', { to })
      const late = await server.newUser('Lou Late')
      await late.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
      await edit(member, id, { content: '@**Lou Late**' })
      assert.deepEqual((await read(late, id)).flags, ['read', 'historical'])
    })

    test('by topic wildcard reach the participants who received the message', async () => {
      const server = await parley()
      const [member, other, third] = [server.as('member'), server.as('member2'), server.as('moderator')]
      const { name: to } = await server.newChannel([member, other, third])
      const id = await send(member, 'x', { to })
      await send(other, 'me too', { to })
      await edit(member, id, { content: '@**topic** wake up' })
      assert.deepEqual((await read(other, id)).flags, ['topic_wildcard_mentioned', 'wildcard_mentioned'])
      assert.deepEqual((await read(third, id)).flags, [])
      await edit(member, id, { content: 'never mind' })
      assert.deepEqual((await read(other, id)).flags, [])
      const alone = await send(member, '@**topic**', { to, topic: 'new' })
      const { flags } = await read(member, alone)
      assert.deepEqual(flags, ['read', 'topic_wildcard_mentioned', 'wildcard_mentioned'], 'who writes takes part')
    })

    test('alert words and groups count as in a new message', async () => {
      const server = await parley()
      const [member, other] = [await server.newUser(), await server.newUser()]
      await other.must('POST', '/users/me/alert_words', { alert_words: ['lobster'] })
      const { name: to } = await server.newChannel([member, other])
      const id = await send(member, 'x', { to })
      await edit(member, id, { content: 'Lobster for lunch' })
      assert.deepEqual((await read(other, id)).flags, ['has_alert_word'])
      await edit(member, id, { content: 'no' })
      assert.deepEqual((await read(other, id)).flags, [])
    })
  })

  test('the history is visible unless the organization hides it, and the time of an edit always', async (t) => {
    const server = await ownParley(t, dialect)
    const member = server.as('member')
    const id = await send(member)
    await edit(member, id, { content: 'y' })
    for (const policy of ['none', 'moves']) {
      await server.as('owner').must('PATCH', '/realm', { message_edit_history_visibility_policy: policy })
      const { messages } = await member.must('GET', '/messages', { message_ids: [id] })
      assert.ok('last_edit_timestamp' in messages[0])
      const history = await member.get(`/messages/${id}/history`)
      if (policy === 'none') {
        assert.equal(history.body.msg, 'Message edit history is disabled in this organization')
      } else assert.equal(history.body.message_history.length, 1)
    }
  })
})

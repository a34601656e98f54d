import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /streams/{stream_id}/email_address', (dialect) => {
  const parley = sharedParley(dialect)

  test('is for whoever may send there, and empty, because nothing receives mail (DIFF-CHANNEL-MAIL)', async () => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const { stream_id: id } = await member.must('GET', '/get_stream_id', { stream: 'general' })
    const said = async (values: { sender_id?: number } = {}) => {
      const { body } = await member.get(`/streams/${id}/email_address`, values)
      return body.result === 'success' ? body.email : body.msg
    }
    assert.equal(await said(), '')
    const foreign = 'sender_id: this is neither you nor a bot of yours.'
    for (const sender_id of [admin.userId, 2_000_000_000]) assert.equal(await said({ sender_id }), foreign)
    const bot = await member.must('POST', '/bots', { full_name: 'Mailing', short_name: `mail-${dialect}` })
    assert.equal(await said({ sender_id: bot.user_id }), '')
  })
})

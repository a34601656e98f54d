import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /streams/{stream_id}/email_address', (dialect) => {
  const parley = sharedParley(dialect)

  test('is for whoever may send there, and empty, because nothing receives mail (DIFF-CHANNEL-MAIL)', async () => {
    const server = await parley()
    const [admin, member, guest] = [server.as('admin'), server.as('member'), server.as('guest')]
    const made = async (values: object): Promise<number> => {
      const name = `mail ${JSON.stringify(values)}`
      return (await admin.must('POST', '/channels/create', { name, subscribers: [admin.userId], ...values })).id
    }
    const [open, hidden] = [await made({}), await made({ invite_only: true })]
    const said = async (by: ApiClient, id: number, values: { sender_id?: number } = {}) => {
      const { body } = await by.get(`/streams/${id}/email_address`, values)
      return body.result === 'success' ? body.email : body.msg
    }
    assert.equal(await said(member, open), '')
    assert.equal(await said(member, open, { sender_id: member.userId }), '')
    assert.equal(await said(admin, hidden), '')
    assert.equal(await said(member, hidden), 'Invalid channel ID')
    assert.equal(await said(guest, open), 'Invalid channel ID')
    assert.equal(await said(admin, 2_000_000_000), 'Invalid channel ID')

    const foreign = 'sender_id: this is neither you nor a bot of yours.'
    for (const sender_id of [admin.userId, 2_000_000_000])
      assert.equal(await said(member, open, { sender_id }), foreign)
    const bot = await member.must('POST', '/bots', { full_name: 'Mailing', short_name: `mail-${dialect}` })
    assert.equal(await said(member, open, { sender_id: bot.user_id }), '')

    const { user_groups } = await admin.must('GET', '/user_groups', {})
    const owners = user_groups.find(({ name }: { name: string }) => name === 'role:owners').id
    await admin.must('PATCH', `/streams/${open}`, { can_send_message_group: { new: owners } })
    assert.match(await said(member, open), /^Not authorized to send to channel/)
  })
})

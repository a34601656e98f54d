import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'

/** Returns a function that returns the topics of all notices since its last call. */
async function listen(client: ApiClient) {
  const names = ['notification_settings_null', 'stream_typing_notifications', 'empty_topic_name']
  const events = await client.listen(['typing', 'typing_edit_message'], {
    client_capabilities: Object.fromEntries(names.map((name) => [name, true])),
  })
  return async (): Promise<unknown[]> => (await events()).map(({ topic }) => topic)
}

onEachDatabase('typing notifications', (dialect) => {
  const parley = sharedParley(dialect)

  test('the topic (no topic) is the empty one, and channels of more than 100 are not notified', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const { id: stream_id } = await server.newChannel([member, other])
    const heard = await listen(other)
    for (const subscriber_count of [100, 101]) {
      await server.inDatabase(({ knex }) => knex('channel').where('id', stream_id).update({ subscriber_count }))
      await member.must('POST', '/typing', { type: 'channel', op: 'start', stream_id, topic: '(no topic)' })
    }
    assert.deepEqual(await heard(), [''])
  })

  test('a sender without typing notifications is told so', async () => {
    const server = await parley()
    const sender = await server.newUser()
    const { id: stream_id } = await server.newChannel([sender])
    const notices = {
      send_private_typing_notifications: { op: 'start', to: [server.as('member').userId] },
      send_stream_typing_notifications: { type: 'channel', op: 'start', stream_id, topic: 'x' },
    }
    for (const [setting, refused] of Object.entries(notices)) {
      await sender.must('PATCH', '/settings', { [setting]: false })
      for (const notice of Object.values(notices)) {
        const { body } = await sender.post('/typing', { ...notice })
        assert.match(body.msg, notice === refused ? /^User has disabled typing notifications for/ : /^$/)
      }
      await sender.must('PATCH', '/settings', { [setting]: true })
    }
  })

  test('of edits are for people who may edit the message', async () => {
    const server = await parley()
    const id = await server.as('member').send('general')
    const { body } = await server.as('member2').post(`/messages/${id}/typing`, { op: 'start' })
    assert.equal(body.msg, "You don't have permission to edit this message")
  })

  test('nobody is notified of a direct message that may not be sent', async (t) => {
    const server = await ownParley(t, dialect, {}, { direct_message_permission_group: 1 })
    const { body } = await server.as('member').post('/typing', { op: 'start', to: [server.as('member2').userId] })
    assert.equal(body.msg, 'Direct messages are disabled in this organization.')
  })
})

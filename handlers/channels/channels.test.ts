import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('channels', (dialect) => {
  const parley = sharedParley(dialect)

  test('the email address is for those who may send, and empty, because nothing receives mail (DIFF-CHANNEL-MAIL)', async () => {
    const server = await parley()
    const member = server.as('member')
    const { stream_id: id } = await member.must('GET', '/get_stream_id', { stream: 'general' })
    const said = async (values: { sender_id?: number } = {}) => {
      const { body } = await member.get(`/streams/${id}/email_address`, values)
      return body.result === 'success' ? body.email : body.msg
    }
    assert.equal(await said(), '')
    const bot = await member.must('POST', '/bots', { full_name: 'Mailing', short_name: `mail-${dialect}` })
    assert.equal(await said({ sender_id: bot.user_id }), '')
  })

  test('an archived channel has nothing unread and no new subscribers; old ones may change settings and leave (level 362)', async () => {
    const server = await parley()
    const [maker, other] = [await server.newUser(), server.as('member2')]
    const { name, id } = await server.newChannel([maker])
    await other.must('POST', '/messages', { type: 'channel', to: name, topic: 'last words', content: 'x' })
    await maker.must('DELETE', `/streams/${id}`)
    assert.equal((await maker.delete(`/streams/${id}`)).body.msg, 'This channel is archived already.')
    const fetch_event_types = ['message', 'update_message_flags']
    const { unread_msgs: unread } = await maker.must('POST', '/register', { fetch_event_types })
    assert.equal(unread.count, 0)
    const all = { num_before: 0, num_after: 1000 }
    for (const search of [{ anchor: 'first_unread' }, { anchor: 0, narrow: [{ operator: 'is', operand: 'unread' }] }]) {
      const { messages } = await maker.must('GET', '/messages', { ...all, ...search })
      assert.ok(!messages.some((one: { stream_id?: number }) => one.stream_id === id), JSON.stringify(search))
    }
    const joined = await other.post('/users/me/subscriptions', { subscriptions: [{ name }] })
    assert.equal(joined.body.msg, `Unable to access channel (${name}).`)
    await maker.must('PATCH', `/users/me/subscriptions/${id}`, { property: 'pin_to_top', value: true })
    await maker.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  })
})

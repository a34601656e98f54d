import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { age, listen, send } from './edits-testing.ts'

const TYPES = ['delete_message', 'stream']

const PERMISSION = "You don't have permission to delete this message"

onEachDatabase('DELETE /messages/{message_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('removes everything that refers to the message', async () => {
    const server = await parley()
    const member = server.as('member')
    const id = await send(member, '/poll @**Mia Member**?')
    await member.must('DELETE', `/messages/${id}`)
    await server.inDatabase(async (session) => {
      for (const table of ['message_flag', 'submessage', 'reaction', 'attachment_message']) {
        assert.deepEqual(await session.all(`select * from ${table} where message_id = ?`, [id]), [], table)
      }
    })
  })

  test('of a bot is for the bot and its owner, and not for other bots', async () => {
    const server = await parley()
    const [member, other, moderator] = [server.as('member'), server.as('member2'), server.as('moderator')]
    const bot = await server.newBot(member)
    const { name: to } = await server.newChannel([member, other, moderator, bot])
    for (const { sender, by, may } of [
      { sender: bot, by: bot, may: true },
      { sender: bot, by: member, may: true },
      { sender: bot, by: other, may: false },
      { sender: member, by: bot, may: false },
      { sender: member, by: moderator, may: false },
    ]) {
      const { status, body } = await by.delete(`/messages/${await send(sender, 'x', { to })}`)
      assert.equal(status, may ? 200 : 400, `${by.email} of ${sender.email}`)
      if (!may) assert.equal(body.msg, PERMISSION)
    }
  })

  test("one's own for a while, any without a limit", async () => {
    const server = await parley()
    const [member, admin] = [server.as('member'), server.as('admin')]
    const id = await send(member)
    await age(server, [id], 620)
    const { body } = await member.delete(`/messages/${id}`)
    assert.equal(body.msg, 'The time limit for deleting this message has passed')
    assert.equal((await admin.delete(`/messages/${id}`)).status, 200)
  })

  describe('the event', () => {
    test('goes to the person who deleted the message too', async () => {
      const server = await parley()
      const [member, admin] = [server.as('member'), server.as('admin')]
      const to = await server.newChannel([member])
      await send(member, 'x', { to: to.name })
      const id = await send(member, 'x', { to: to.name })
      const queue = await listen(admin, TYPES, false)
      await admin.must('DELETE', `/messages/${id}`)
      const place = { message_type: 'stream', stream_id: to.id, topic: 'e' }
      assert.deepEqual(await queue(), [{ type: 'delete_message', message_id: id, ...place }])
    })

    test('removes stars of those who no longer see the message, without an event', async () => {
      const server = await parley()
      const [member, guest] = [server.as('member'), server.as('guest')]
      for (const invite_only of [false, true]) {
        const { name: to } = await server.newChannel([member, guest], { invite_only })
        const id = await send(member, 'x', { to })
        const starred = { op: 'add', flag: 'starred', messages: [id] }
        for (const one of [member, guest]) await one.must('POST', '/messages/flags', starred)
        await server.as('owner').must('DELETE', '/users/me/subscriptions', {
          subscriptions: [to],
          principals: [guest.userId],
        })
        const starredBy = async (one: ApiClient): Promise<number[]> =>
          (await one.must('POST', '/register', { fetch_event_types: ['starred_messages'] })).starred_messages
        const types = ['delete_message', 'update_message_flags']
        const [queue, own] = [await listen(guest, types), await listen(member, types)]
        assert.ok((await starredBy(guest)).includes(id))
        await member.must('DELETE', `/messages/${id}`)
        const removed = { ...starred, op: 'remove', operation: 'remove', all: false }
        assert.deepEqual(await queue(), [{ type: 'update_message_flags', ...removed }])
        assert.deepEqual(
          (await own()).map(({ type }) => type),
          ['delete_message'],
        )
        assert.ok(!(await starredBy(guest)).includes(id))
      }
    })
  })
})

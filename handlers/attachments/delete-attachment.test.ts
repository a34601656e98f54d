import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('DELETE /attachments/{attachment_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('the file, its row and its bytes go; the message stays; the owner is told', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const { url } = (await user.upload('a.txt', '1234')).body
    await user.upload('stays.txt', '1')
    const message = { type: 'direct', to: [other.userId], content: `[a](${url})` }
    const { id: messageId } = await user.must('POST', '/messages', message)
    const before = await user.must('GET', '/attachments')
    const [{ id }, stays] = before.attachments
    const { queue_id, last_event_id } = await user.must('POST', '/register', { event_types: ['attachment'] })

    await user.must('DELETE', `/attachments/${id}`)
    const after = await user.must('GET', '/attachments')
    assert.deepEqual([after.attachments, after.upload_space_used], [[stays], before.upload_space_used - 4])
    for (const client of [user, other]) assert.equal((await client.fetch(url)).status, 404)
    const files = readdirSync(join(server.dataFolder, 'uploads'), { recursive: true }).map(String)
    assert.ok(!files.some((name) => name.includes(url.split('/')[3])))
    assert.match((await other.must('GET', `/messages/${messageId}`)).message.content, /user_uploads/)
    const { events } = await user.must('GET', '/events', { queue_id, last_event_id })
    assert.equal(events.length, 1)
    const [{ id: eventId, ...event }] = events
    assert.ok(eventId > last_event_id)
    assert.deepEqual(event, {
      type: 'attachment',
      op: 'remove',
      attachment: { id },
      upload_space_used: after.upload_space_used,
    })

    const again = await user.delete(`/attachments/${id}`)
    assert.deepEqual([again.status, again.body.msg], [400, 'Invalid attachment'])
  })

  test("somebody else's file is one that does not exist", async () => {
    const server = await parley()
    const user = await server.newUser()
    const { url } = (await user.upload('a.txt', '1234')).body
    const message = { type: 'direct', to: [server.as('owner').userId], content: `[a](${url})` }
    await user.must('POST', '/messages', message)
    const [{ id }] = (await user.must('GET', '/attachments')).attachments
    for (const wrong of [id, id + 1_000_000, 0, '9'.repeat(15)]) {
      const { status, body } = await server.as('owner').delete(`/attachments/${wrong}`)
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Invalid attachment'])
    }
    assert.equal((await user.fetch(url)).status, 200)
  })
})

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('DELETE /attachments/{attachment_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('the bytes go, the message stays, and a second time there is no such file', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { url } = (await user.upload('a.txt', '1234')).body
    const message = { type: 'direct', to: [user.userId], content: `[a](${url})` }
    const { id: messageId } = await user.must('POST', '/messages', message)
    const [{ id }] = (await user.must('GET', '/attachments')).attachments
    const { queue_id } = await user.must('POST', '/register', { event_types: ['attachment'] })
    await user.must('DELETE', `/attachments/${id}`)
    const [told] = (await user.must('GET', '/events', { queue_id })).events
    const { upload_space_used: left } = await user.must('GET', '/attachments')
    assert.deepEqual([told.op, told.upload_space_used], ['remove', left])
    assert.equal((await user.fetch(url)).status, 404)
    const files = readdirSync(join(server.dataFolder, 'uploads'), { recursive: true }).map(String)
    assert.ok(!files.some((name) => name.includes(url.split('/')[3])))
    assert.match((await user.must('GET', `/messages/${messageId}`)).message.content, /user_uploads/)
    const again = await user.delete(`/attachments/${id}`)
    assert.deepEqual([again.status, again.body.code, again.body.msg], [400, 'BAD_REQUEST', 'Invalid attachment'])
  })
})

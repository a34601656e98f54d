import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('attachments', (dialect) => {
  const parley = sharedParley(dialect)

  test('the bytes of a deleted file are gone at once, also for whoever has a link', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { url } = (await user.upload('a.txt', '1234')).body
    const [{ id }] = (await user.must('GET', '/attachments')).attachments
    const isStored = () =>
      readdirSync(join(server.dataFolder, 'uploads'), { recursive: true }).some((name) =>
        String(name).includes(url.split('/')[3]),
      )
    assert.equal(isStored(), true)
    const link = (await user.must('GET', url)).url
    await user.must('DELETE', `/attachments/${id}`)
    assert.equal(isStored(), false)
    for (const gone of [url, link]) assert.equal((await user.fetch(gone)).status, 404)
  })

  test('the owner is told when somebody else refers to a file', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const content = `[a](${(await user.upload('a.png', '1234')).body.url})`
    const ids = [(await user.must('POST', '/messages', { type: 'direct', to: [other.userId], content })).id]
    const heard = await user.listen(['attachment'])
    ids.push((await other.must('POST', '/messages', { type: 'direct', to: [user.userId], content })).id)
    assert.deepEqual(
      (await heard()).map(({ attachment }) => attachment.message_ids),
      [ids],
    )
  })
})

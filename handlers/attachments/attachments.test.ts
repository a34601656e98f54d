import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chunksOf } from '../../domain/chunks.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('attachments', (dialect) => {
  const parley = sharedParley(dialect)

  test('a deleted file is gone at once, also for its temporary links', async () => {
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

  test('the owner is told when somebody else links to a file', async () => {
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

  test('at most 128 KiB of events about the files of one message are written (DIFF-FILE-EVENTS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const uploads = await Promise.all(Array.from({ length: 25 }, (_, index) => user.upload(`${index}.txt`, 'x')))
    const content = uploads.map(({ body }) => `[a](${body.url})`).join(' ')
    const files: { id: number }[] = (await user.must('GET', '/attachments')).attachments
    await server.inDatabase(async ({ knex }) => {
      for (const { id } of files) {
        const rows = Array.from({ length: 1000 }, (_, index) => ({ attachment_id: id, message_id: 10_000_000 + index }))
        for (const some of chunksOf(rows, 200)) await knex('attachment_message').insert(some)
      }
    })
    const heard = await user.listen(['attachment'])
    await user.must('POST', '/messages', { type: 'direct', to: [user.userId], content })
    const told = await heard()
    const bytes = told.reduce((sum, { attachment }) => sum + JSON.stringify(attachment).length, 0)
    assert.ok(bytes > 100 * 1024 && bytes <= 128 * 1024, `${told.length} events with ${bytes} bytes`)
  })
})

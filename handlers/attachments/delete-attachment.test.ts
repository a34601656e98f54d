import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('DELETE /attachments/{attachment_id}', (dialect) => {
  const parley = sharedParley(dialect)

  test('its bytes are gone at once, also for whoever has a link', async () => {
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
})

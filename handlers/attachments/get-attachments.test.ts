import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /attachments', (dialect) => {
  const parley = sharedParley(dialect)

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

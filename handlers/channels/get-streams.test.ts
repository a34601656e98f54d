import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /streams', (dialect) => {
  const parley = sharedParley(dialect)

  test('by content, administrators find only the private channels that they read', async () => {
    const server = await parley()
    const { name } = await server.newChannel([server.as('owner')], { invite_only: true })
    const wanted = { include_public: false, include_subscribed: false, include_can_access_content: true }
    for (const [key, isFound] of [
      ['owner', true],
      ['admin', false],
    ] as const) {
      const { streams } = await server.as(key).must('GET', '/streams', wanted)
      assert.equal(
        streams.some((channel: { name: string }) => channel.name === name),
        isFound,
      )
    }
  })
})

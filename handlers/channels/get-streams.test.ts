import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /streams', (dialect) => {
  const parley = sharedParley(dialect)

  test('guests find what they follow, administrators also private channels, by content only what they read', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const [closed, open] = [server.unique('Closed'), server.unique('Open')]
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: closed }], invite_only: true })
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: open }] })
    const only = { include_public: false, include_subscribed: false }
    for (const [key, parameters, wanted] of [
      ['admin', {}, [open]],
      ['guest', {}, ['general']],
      ['admin', { include_all: true }, [closed, open]],
      ['member', { include_all: true }, [open]],
      ['guest', { include_all: true }, ['general']],
      ['owner', { ...only, include_can_access_content: true }, [closed, open]],
      ['admin', { ...only, include_can_access_content: true }, [open]],
      ['member', { ...only, include_owner_subscribed: true }, []],
      ['bot', { ...only, include_owner_subscribed: true }, [open]],
      ['admin', { ...only, include_all_active: true }, [closed, open]],
    ] as const) {
      const { streams } = await server.as(key).must('GET', '/streams', parameters)
      const names = streams.map((channel: { name: string }) => channel.name)
      const known = key === 'guest' ? names : names.filter((name: string) => [closed, open].includes(name))
      assert.deepEqual(known, wanted, JSON.stringify([key, parameters]))
    }
    const { status, body } = await server.as('bot').get('/streams', { include_all_active: true })
    assert.deepEqual([status, body.msg], [400, 'User not authorized for this query'])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /server_settings', (dialect) => {
  const parley = sharedParley(dialect)
  const publicParley = sharedParley(dialect, { publicUrl: 'https://chat.example.com' })

  async function settings(server: Awaited<ReturnType<typeof parley>>, headers: Record<string, string> = {}) {
    const answer = await fetch(`${server.url}/api/v1/server_settings`, { headers })
    assert.equal(answer.status, 200)
    return JSON.parse(await answer.text())
  }

  test('the public URL is the configured one, not that of the request', async () => {
    const body = await settings(await publicParley(), { 'X-Forwarded-Host': 'evil.example' })
    assert.equal(body.realm_url, 'https://chat.example.com')
  })

  test('credentials are ignored, even wrong ones', async () => {
    await settings(await parley(), { Authorization: 'Basic bm9ib2R5Ong=' })
  })
})

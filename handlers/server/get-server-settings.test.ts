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

  test('what a client needs before anybody has logged in (NOTE-21)', async () => {
    const server = await parley()
    const body = await settings(server)
    assert.deepEqual([body.result, body.msg, body.zulip_feature_level], ['success', '', 482])
    assert.equal(body.authentication_methods.password, true)
    for (const [method, isOn] of Object.entries(body.authentication_methods))
      assert.equal(typeof isOn, 'boolean', method)
    assert.deepEqual([body.realm_name, body.realm_url, body.realm_uri], ['Parley Demo', server.url, server.url])
    assert.equal(body.realm_description, '<p>A place to try things out.</p>')
    assert.deepEqual(
      [body.push_notifications_enabled, body.is_incompatible, body.realm_web_public_access_enabled],
      [false, false, false],
    )
    assert.deepEqual(body.external_authentication_methods, [])
  })

  test('the public URL is what was set, not what the request says', async () => {
    const body = await settings(await publicParley(), { 'X-Forwarded-Host': 'evil.example' })
    assert.equal(body.realm_url, 'https://chat.example.com')
  })

  test('credentials are not looked at: wrong ones do not matter', async () => {
    await settings(await parley(), { Authorization: 'Basic bm9ib2R5Ong=' })
  })
})

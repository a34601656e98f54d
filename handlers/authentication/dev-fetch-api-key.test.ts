import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTo } from '../../server/raw-connection-testing.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /dev_fetch_api_key', (dialect) => {
  const usual = sharedParley(dialect)
  const open = sharedParley(dialect, { hasDevelopmentLogin: true })

  test('is refused alike for all accounts unless the server is started for development', async () => {
    const member = (await usual()).as('member')
    const { authentication_methods } = await member.must('GET', '/server_settings')
    assert.equal(authentication_methods.dev, false)
    for (const username of [member.email, 'nobody@parley.example']) {
      const { status, body } = await member.post('/dev_fetch_api_key', { username })
      assert.deepEqual(
        [status, body.code, body.msg],
        [...[400, 'BAD_REQUEST', 'Nobody logs in without a password on this server.']],
      )
    }
  })

  test('returns the key of an active account to anybody', async () => {
    const server = await open()
    const [member, gone, admin] = [server.as('member'), await server.newUser(), server.as('admin')]
    const { authentication_methods } = await member.must('GET', '/server_settings')
    assert.equal(authentication_methods.dev, true)
    const ask = async (username: string) => (await admin.post('/dev_fetch_api_key', { username })).body
    const { api_key, email, user_id } = await ask(` ${member.email.toUpperCase()}`)
    assert.deepEqual([api_key, email, user_id], [member.apiKey, member.email, member.userId])
    assert.equal((await ask('nobody@parley.example')).code, 'AUTHENTICATION_FAILED')
    await admin.must('DELETE', `/users/${gone.userId}`)
    assert.equal((await ask(gone.email)).code, 'USER_DEACTIVATED')
  })

  test('G7: is refused to web pages, and under a host name that leads to this machine (SEC-HTTP-14)', async () => {
    const server = await open()
    const { host } = new URL(server.url)
    const form = `username=${encodeURIComponent(server.as('owner').email)}`
    const ask = (...headers: string[]) => {
      const lines = ['POST /api/v1/dev_fetch_api_key HTTP/1.1', ...headers, `Content-Length: ${form.length}`]
      return answerTo(server, [...lines, 'Content-Type: application/x-www-form-urlencoded', '', form].join('\r\n'))
    }
    assert.match(await ask(`Host: ${host}`), /"api_key"/)
    for (const headers of [['Host: rebound.example'], [`Host: ${host}`, 'Origin: https://page.example'], []]) {
      assert.match(await ask(...headers), /^HTTP\/1\.1 400 [\s\S]*Only programs on this machine/)
    }
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /fetch_api_key', (dialect) => {
  const parley = sharedParley(dialect)

  async function logIn(username: string | undefined, password: string | undefined) {
    const server = await parley()
    const form = new URLSearchParams()
    if (username !== undefined) form.set('username', username)
    if (password !== undefined) form.set('password', password)
    // Sends no credentials except those in the form.
    return server.as('owner').request('POST', '/fetch_api_key', {}, { body: form, headers: {} })
  }

  test('address and password give the key, address and id (AUTH-16)', async () => {
    const server = await parley()
    const { email, apiKey, userId } = server.as('member')
    const answer = await logIn(email, server.credentials.password)
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { result: 'success', msg: '', api_key: apiKey, email, user_id: userId }],
    )
    const client = new ApiClient(server.url, answer.body)
    assert.equal((await client.get('/users/me')).body.user_id, userId, 'the key works')
  })

  test('the address in any case, with white space around it; answered as it is stored (AUTH-20)', async () => {
    const server = await parley()
    const { email } = server.as('member')
    for (const username of [email.toUpperCase(), `  ${email}\n`]) {
      assert.equal((await logIn(username, server.credentials.password)).body.email, email)
    }
  })

  test('wrong password, unknown address, bot: one and the same answer', async () => {
    const server = await parley()
    const { password } = server.credentials
    const refused = { result: 'error', msg: 'Your username or password is incorrect', code: 'AUTHENTICATION_FAILED' }
    for (const [username, given] of [
      [server.as('member').email, `${password}x`],
      [server.as('member').email, ''],
      [server.as('member').email, password.toUpperCase()],
      ['nobody@parley.example', password],
      ['', password],
      [server.as('bot').email, password],
      [server.as('bot').email, ''],
    ] as const) {
      const { status, body } = await logIn(username, given)
      assert.deepEqual([status, body], [401, refused], `${username} ${given}`)
    }
  })

  test('a password is raw text, not trimmed: quotes and spaces belong to it', async () => {
    const server = await parley()
    const email = 'quoted@parley.example'
    await server.as('owner').must('POST', '/users', { email, password: ' "pass word" ', full_name: 'Quoted' })
    assert.equal((await logIn(email, ' "pass word" ')).status, 200)
    assert.equal((await logIn(email, '"pass word"')).status, 401)
  })

  test('name what is missing (ENV-18)', async () => {
    for (const [name, answer] of [
      ['username', await logIn(undefined, 'x')],
      ['password', await logIn('x', undefined)],
    ] as const) {
      assert.deepEqual([answer.status, answer.body.code, answer.body.var_name], [400, 'REQUEST_VARIABLE_MISSING', name])
    }
  })
})

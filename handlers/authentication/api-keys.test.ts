import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('login and API keys', (dialect) => {
  const parley = sharedParley(dialect)

  async function logIn(username: string, password: string) {
    const server = await parley()
    const form = new URLSearchParams({ username, password })
    // Sends no credentials except those in the form.
    return server.as('owner').request('POST', '/fetch_api_key', {}, { body: form, headers: {} })
  }

  test('wrong passwords, unknown addresses and bots have the same answer', async () => {
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

  test('a password is raw text, including quotes and spaces', async () => {
    const server = await parley()
    const email = 'quoted@parley.example'
    await server.as('owner').must('POST', '/users', { email, password: ' "pass word" ', full_name: 'Quoted' })
    assert.equal((await logIn(`  ${email}\n`, ' "pass word" ')).body.email, email)
    assert.equal((await logIn(email, '"pass word"')).status, 401)
  })

  test('requests that wait while the key is replaced write nothing, and only one of two replaces it (SEC-KEY-1)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const send = () => user.post('/messages', { type: 'direct', to: [user.userId], content: 'x' })
    const calls = [...Array(5)].flatMap(() => [send(), user.get('/users/me')])
    const both = [...Array(2)].map(() => user.post('/users/me/api_key/regenerate'))
    const late = [...Array(5)].map(send)
    const replaced = (await Promise.all(both)).filter(({ status }) => status === 200)
    assert.equal(replaced.length, 1)
    const answers = await Promise.all([...calls, ...late])
    for (const { status } of answers) assert.ok(status === 200 || status === 401)
    const { email, userId: user_id } = user
    const other = new ApiClient(server.url, { email, api_key: replaced[0]?.body.api_key, user_id })
    const acknowledged = answers.filter(({ body }) => body.id !== undefined)
    assert.equal((await other.newest([['dm', user.email]])).length, acknowledged.length)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('replaced keys (SEC-KEY-1)', (dialect) => {
  const parley = sharedParley(dialect)

  test('calls that wait while the key is replaced write nothing, and only one of two replaces it', async () => {
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

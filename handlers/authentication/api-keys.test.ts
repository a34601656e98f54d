import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilParked } from '../../server/process-testing.ts'
import { ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

onEachDatabase('replaced keys (SEC-KEY-1)', (dialect) => {
  const parley = sharedParley(dialect)

  const refusal = async (call: ReturnType<ApiClient['get']>) => {
    const { status, body, headers } = await call
    return [status, body.code, headers.get('www-authenticate')]
  }
  const REFUSED = [401, 'INVALID_API_KEY', 'Basic realm="zulip"']
  const withKey = ({ url }: TestServer, { email, userId }: ApiClient, api_key: string) =>
    new ApiClient(url, { email, api_key, user_id: userId })
  const renewed = async (server: TestServer, user: ApiClient) =>
    withKey(server, user, (await user.must('POST', '/users/me/api_key/regenerate')).api_key)

  test('the old key ends at once, for polls that wait, too', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { queue_id, last_event_id } = await user.must('POST', '/register', { fetch_event_types: [] })
    const parked = user.get('/events', { queue_id, last_event_id })
    await untilParked(server.url, 1)
    const other = await renewed(server, user)
    assert.deepEqual(await refusal(parked), REFUSED, 'a poll that waited')
    const { events } = await other.must('GET', '/events', { queue_id, last_event_id, dont_block: true })
    assert.deepEqual(events, [], 'nobody is told of the key')
    const login = await other.must('POST', '/fetch_api_key', { username: user.email, password: 'correct horse' })
    assert.equal(login.api_key, other.apiKey)
  })

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
    const other = withKey(server, user, replaced[0]?.body.api_key)
    const newest = { anchor: 'newest', num_before: 20, num_after: 0, narrow: [['dm', user.email]] }
    const { messages } = await other.must('GET', '/messages', newest)
    const acknowledged = answers.filter(({ body }) => body.id !== undefined)
    assert.equal(messages.length, acknowledged.length)
  })
})

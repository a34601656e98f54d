import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fault, faultyProxy, faultySender, type SeededFault, sharedServer } from './testing.ts'
import { fetchOptions, type Login, type Request } from './wire/http.ts'

const server = sharedServer()

type Seen = readonly [status: number, type: string | null, body: string]

/** The answer to `request` through the proxy and through the sender. */
async function bothWays(
  { url, login }: { url: string; login: Login },
  request: Pick<Request, 'method' | 'path'> & Partial<Request>,
  fault: Fault,
  before?: SeededFault['before'],
): Promise<[proxied: Seen, sent: Seen]> {
  const init = fetchOptions({ as: login, caller: 'member', ...request })
  const proxy = await faultyProxy(url, fault, before)
  try {
    const [proxied, sent] = [
      await fetch(`${proxy.url}${request.path}`, init),
      await faultySender(url, fault, before)(`${url}${request.path}`, init),
    ]
    return [
      [proxied.status, proxied.headers.get('content-type'), await proxied.text()],
      [sent.status, sent.headers.get('content-type'), await sent.text()],
    ]
  } finally {
    await proxy.close()
  }
}

test('the sender passes on what the proxy passes on, with the same faults', async () => {
  const { url, logins } = await server()
  const login = logins.find(({ email }) => email.startsWith('member@'))
  assert.ok(login)
  const heard: string[] = []
  const listen: Fault = (answer, { method, path, parameters, userAgent, authorization }) => {
    heard.push(`${method} ${path} ${parameters} ${userAgent} ${authorization}`)
    answer.status += 1
    if (typeof answer.body === 'object') answer.body.fault = 'seeded'
  }
  const requests: (Pick<Request, 'method' | 'path'> & Partial<Request>)[] = [
    { method: 'GET', path: '/api/v1/users/me?x=%20+%C3%A9' },
    { method: 'PATCH', path: '/api/v1/settings', form: [['twenty_four_hour_time', 'true']] },
    { method: 'POST', path: '/api/v1/messages/render', raw: { type: 'text/plain', body: 'content=x' } },
    { method: 'GET', path: '/static/icon.png' },
    { method: 'GET', path: '/nothing' },
  ]
  for (const request of requests) {
    const [proxied, sent] = await bothWays({ url, login }, request, listen)
    assert.deepEqual(sent, proxied)
    const [byProxy, bySender] = heard.splice(0)
    assert.equal(bySender, byProxy)
    assert.match(bySender ?? '', new RegExp(`^${request.method} .* ParleyConformance/1\\.0 Basic `))
  }
  const uploaded = await bothWays(
    { url, login },
    { method: 'POST', path: '/api/v1/user_uploads', file: { name: 'file', fileName: 'ä.txt', content: 'ö' } },
    (answer) => {
      answer.body = [answer.body.filename, answer.body.ignored_parameters_unsupported]
    },
  )
  assert.deepEqual(uploaded[1], uploaded[0])
  const [, misread] = await bothWays(
    { url, login },
    { method: 'GET', path: '/api/v1/messages?anchor=newest&num_before=1&num_after=0&apply_markdown=true' },
    ({ body }) => {
      body.messages = body.messages.map(({ content_type }: Record<string, unknown>) => content_type)
    },
    ({ url: asked }) => asked.searchParams.set('apply_markdown', 'false'),
  )
  assert.match(misread[2], /"messages":\["text\/x-markdown"\]/)
})

test('a fault that fails itself is no answer of the server', async () => {
  const { url, logins } = await server()
  const [login] = logins
  assert.ok(login)
  const [proxied, sent] = await bothWays({ url, login }, { method: 'GET', path: '/api/v1/users/me' }, () => {
    throw new Error('of the fault')
  })
  assert.deepEqual([proxied[0], sent[0]], [502, 502])
})

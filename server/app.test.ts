import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { clientName } from './engine.ts'
import { type ApiClient, basic, onEachDatabase, sharedParley } from './testing.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const MESSAGE = 'type=stream&to=general&topic=pipeline&content=x'

onEachDatabase('the pipeline', (dialect) => {
  const parley = sharedParley(dialect)

  /** POST /messages with this body and these headers. */
  async function posted(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = FORM, query = '') {
    const member = (await parley()).as('member')
    return member.request('POST', `/messages${query}`, {}, { body, headers: { ...authorized(member), ...headers } })
  }

  describe('bodies', () => {
    const multipart = (...parts: [headers: string, value: string][]) =>
      Buffer.from(
        `${parts.map(([headers, value]) => `--B\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${value}\r\n`).join('')}--B--\r\n`,
      )
    const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=B' }
    const field = (name: string, value: string): [string, string] => [`name="${name}"`, value]
    const message = (content: [string, string]) =>
      multipart(field('type', 'stream'), field('to', 'general'), field('topic', 'm'), content)
    const contentOf = async (id: number) =>
      (await (await parley()).as('member').must('GET', `/messages/${id}`, { apply_markdown: false })).message.content

    test('multipart: text in UTF-8, whatever type a part claims', async () => {
      const types = [
        '',
        '\r\nContent-Type: text/plain; charset=utf-8',
        '\r\nContent-Type: text/plain',
        '\r\nContent-Type: application/octet-stream',
        '\r\nContent-Type: application/json',
      ]
      for (const type of types) {
        const { status, body } = await posted(message([`name="content"${type}`, 'é 😀']), MULTIPART)
        assert.equal(status, 200, type)
        assert.equal(await contentOf(body.id), 'é 😀')
      }
    })

    test('multipart: refuse files by name, and broken bodies with a reason', async () => {
      const cases: [Buffer<ArrayBuffer> | string, RegExp][] = [
        [message(['name="content"; filename="a.txt"', 'x']), /^content is a file/],
        [message(['filename="a.txt"', 'x']), /no name/],
        [message(field('queue_id', 'a\0b')), /^queue_id must not contain null bytes$/],
        [message(field('content', 'x')).subarray(0, -5), /broken or incomplete/],
        ['nothing of the kind', /broken or incomplete/],
        [multipart(...Array.from({ length: 201 }, (_, index) => field(`n${index}`, ''))), /more than 200 parts/],
        [
          Buffer.concat([
            Buffer.from('--B\r\nContent-Disposition: form-data; name="content"\r\n\r\n'),
            Buffer.from([0xff]),
            Buffer.from('\r\n--B--'),
          ]),
          /^Malformed payload: content is not UTF-8$/,
        ],
      ]
      for (const [body, reason] of cases) {
        const answer = await posted(body, MULTIPART)
        assert.deepEqual([answer.status, answer.body.code], [400, 'BAD_REQUEST'])
        assert.match(answer.body.msg, reason)
      }
      const noBoundary = await posted('x', { 'Content-Type': 'multipart/form-data' })
      assert.match(noBoundary.body.msg, /boundary/)
    })

    test('a body that is no form is refused with 415 and what to send instead', async () => {
      for (const type of ['application/json', 'text/plain', 'application/xml', 'x']) {
        const { status, body } = await posted('{"type":"stream"}', { 'Content-Type': type })
        assert.deepEqual([status, body.code], [415, 'BAD_REQUEST'])
        assert.ok(body.msg.includes(type) && body.msg.includes('application/x-www-form-urlencoded'))
      }
    })

    test('an empty body of any type is accepted', async () => {
      const { status, body } = await posted('', { 'Content-Type': 'application/json' })
      assert.deepEqual([status, body.code], [400, 'REQUEST_VARIABLE_MISSING'])
    })

    test('too large: 413, by its length or in chunks, also compressed', async () => {
      const large = `${MESSAGE}&content=${'x'.repeat(1_100_000)}`
      const chunks = new ReadableStream({
        start(controller) {
          for (let start = 0; start < large.length; start += 65_536)
            controller.enqueue(Buffer.from(large.slice(start, start + 65_536)))
          controller.close()
        },
      })
      const member = (await parley()).as('member')
      const chunked = {
        body: chunks,
        duplex: 'half',
        headers: { ...authorized(member), ...FORM },
      } as unknown as RequestInit
      const bomb = gzipSync(Buffer.alloc(30_000_000, 97))
      assert.ok(bomb.length < 100_000)
      for (const answer of [
        await posted(large),
        await member.request('POST', '/messages', {}, chunked),
        await posted(bomb, { ...FORM, 'Content-Encoding': 'gzip' }),
        await posted(message(field('content', 'x'.repeat(1_100_000))), MULTIPART),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [413, 'BAD_REQUEST'])
        assert.match(answer.body.msg, /larger than 1048576 bytes/)
      }
    })

    test('gzip and deflate are read; bodies that are not what they claim are refused', async () => {
      assert.equal((await posted(gzipSync(MESSAGE), { ...FORM, 'Content-Encoding': 'gzip' })).status, 200)
      for (const encoding of ['gzip', 'zstd-of-my-own']) {
        const { status, body } = await posted(MESSAGE, { ...FORM, 'Content-Encoding': encoding })
        assert.ok(status >= 400 && status < 500)
        assert.equal(body.code, 'BAD_REQUEST')
      }
    })
  })

  describe('methods and URLs', () => {
    const ask = async (path: string, init: RequestInit = {}) => {
      const server = await parley()
      const answer = await fetch(server.url + path, { ...init, headers: authorized(server.as('member')) })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }

    test('another method: 405 with Allow and allowed_methods (ERR-HTTP-5, NOTE-20, DIFF-CODE)', async () => {
      const { status, headers, text } = await ask('/api/v1/messages', { method: 'PROPFIND' })
      const allowed_methods = ['GET', 'HEAD', 'POST', 'OPTIONS']
      assert.deepEqual([status, headers.get('allow')], [405, allowed_methods.join(', ')])
      const refusal = { result: 'error', msg: 'Method Not Allowed', code: 'BAD_REQUEST', allowed_methods }
      assert.deepEqual(JSON.parse(text), refusal)
    })

    test('OPTIONS: 204 with Allow; HEAD: as GET, without the body', async () => {
      const options = await ask('/api/v1/messages', { method: 'OPTIONS' })
      assert.deepEqual(
        [options.status, options.headers.get('allow'), options.text],
        [204, 'GET, HEAD, POST, OPTIONS', ''],
      )
      for (const path of ['/api/v1/messages/1', '/api/v1/messages/999999', '/health', '/api/v1/nope']) {
        const [get, head] = [await ask(path), await ask(path, { method: 'HEAD' })]
        assert.equal(head.status, get.status)
        assert.equal(head.text, '')
        assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
      }
    })

    test('JSON is neither cached nor taken for another type (SEC-HTTP-10)', async () => {
      const member = (await parley()).as('member')
      const { queue_id } = await member.must('POST', '/register', { event_types: ['message'], fetch_event_types: [] })
      const parked = member.get('/events', { queue_id, last_event_id: -1 })
      const { headers: sent } = await posted(`${MESSAGE}&content=x`)
      const answers = [sent, (await parked).headers]
      for (const path of ['/api/v1/users/me', '/api/v1/nope', '/health', '/metrics', '/api/v1/openapi.json']) {
        answers.push((await ask(path)).headers)
      }
      for (const headers of answers) {
        assert.deepEqual([headers.get('cache-control'), headers.get('x-content-type-options')], ['no-store', 'nosniff'])
      }
    })

    test('the documents of the contract are not parsed for each request', async (t) => {
      await parley()
      const parse = t.mock.method(JSON, 'parse')
      for (const path of ['/api/v1/openapi.json', '/api/v1/openapi-3.0.json']) {
        const { status, headers, text } = await ask(path)
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'])
        assert.match(text, /^\{"openapi":"3.*\}\n$/)
      }
      const lengths = parse.mock.calls.map(({ arguments: [text] }) => text.length)
      assert.ok(Math.max(0, ...lengths) < 100_000)
    })

    test('every answer has its own request ID, and JSON ends with a newline', async () => {
      const ids = new Set<string>()
      for (const path of ['/api/v1/users/me', '/api/v1/nope', '/health', '/api/v1/messages/999999', '/metrics']) {
        const { headers, text } = await ask(path)
        ids.add(String(headers.get('x-request-id')))
        assert.ok(text.endsWith('\n'), path)
      }
      assert.equal(ids.size, 5)
      assert.ok(!ids.has('null'))
    })
  })
})

function authorized({ email, apiKey }: ApiClient): Record<string, string> {
  return { Authorization: basic(email, apiKey) }
}

test('the client is the product of the User-Agent (MSG-FIELD-23)', () => {
  const cases: [string, string][] = [
    ['ZulipPython/0.9.1 (Linux)', 'ZulipPython'],
    ['curl/8.5.0', 'curl'],
    ['Mozilla/5.0 (X11)', 'Mozilla'],
    ['', 'Unspecified'],
    ['(odd)', 'Unspecified'],
    ['/1', 'Unspecified'],
    ['n'.repeat(50), 'n'.repeat(30)],
  ]
  for (const [userAgent, name] of cases) assert.equal(clientName(userAgent), name, userAgent)
})

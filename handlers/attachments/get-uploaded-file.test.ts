import assert from 'node:assert/strict'
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'

const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)

onEachDatabase('GET /user_uploads/…', (dialect) => {
  const parley = sharedParley(dialect)
  const uploaded = async (user: ApiClient, name: string, content: string | Uint8Array<ArrayBuffer>): Promise<string> =>
    (await user.upload(name, content, 'text/html')).body.url

  test('the type follows the content; only what cannot run is shown inline (DIFF-FILE-TYPE)', async () => {
    const user = await (await parley()).newUser()
    const script = '<script>alert(1)</script>'
    const cases: [name: string, content: string | Uint8Array<ArrayBuffer>, type: string, disposition: string][] = [
      ['a.png', PNG, 'image/png', 'inline'],
      ['a.html', PNG, 'image/png', 'inline'],
      ['a.png', `<html>${script}</html>`, 'text/plain; charset=utf-8', 'attachment'],
      ['a.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, 'text/plain; charset=utf-8', 'attachment'],
      [
        'a.svg',
        `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`,
        'application/octet-stream',
        'attachment',
      ],
      ['a.gif', `GIF89a/*${script}*/=1;`, 'image/gif', 'inline'],
      ['a.pdf', '%PDF-1.7\n', 'application/pdf', 'attachment'],
      ['a.js', 'alert(1)', 'text/plain; charset=utf-8', 'attachment'],
    ]
    for (const [name, content, type, disposition] of cases) {
      const { status, headers } = await user.fetch(await uploaded(user, name, content))
      assert.deepEqual([status, headers.get('Content-Type')], [200, type], name)
      assert.equal(headers.get('Content-Disposition'), `${disposition}; filename="${name}"; filename*=UTF-8''${name}`)
      assert.equal(headers.get('X-Content-Type-Options'), 'nosniff')
      assert.match(headers.get('Content-Security-Policy') ?? '', /^sandbox; default-src 'none'/)
      assert.equal(headers.get('Cache-Control'), 'private, no-cache')
    }
  })

  test('one range of bytes is returned', async () => {
    const user = await (await parley()).newUser()
    const url = await uploaded(user, 'digits', '0123456789')
    const get = async (range: string, more: Record<string, string> = {}) => {
      const answer = await user.fetch(url, { headers: { Range: range, ...more } })
      return [answer.status, answer.headers.get('Content-Range'), await answer.text()]
    }
    const whole = [200, null, '0123456789']
    assert.deepEqual(await get('bytes=0-0'), [206, 'bytes 0-0/10', '0'])
    assert.deepEqual(await get('bytes=7-999'), [206, 'bytes 7-9/10', '789'])
    assert.deepEqual(await get('bytes=-30'), [206, 'bytes 0-9/10', '0123456789'])
    for (const range of ['bytes=5-3', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      assert.deepEqual(await get(range), whole, range)
    }
    for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0', `bytes=${'9'.repeat(30)}-`]) {
      const [status, contentRange, text] = await get(range)
      assert.deepEqual([status, contentRange, JSON.parse(String(text)).code], [416, 'bytes */10', 'BAD_REQUEST'], range)
    }
    const { headers } = await user.fetch(url)
    const etag = headers.get('ETag') ?? ''
    assert.deepEqual(await get('bytes=3-5', { 'If-Range': etag }), [206, 'bytes 3-5/10', '345'])
    assert.deepEqual(await get('bytes=3-5', { 'If-Range': '"other"' }), whole)
    const head = await user.fetch(url, { method: 'HEAD', headers: { Range: 'bytes=3-5' } })
    assert.deepEqual([head.status, head.headers.get('Content-Length'), await head.text()], [200, '10', ''])
  })

  test('a file that lost some or all bytes is unknown, and its answer has no headers of the file', async (t) => {
    const server = await ownParley(t, dialect, { logLevel: 'silent' })
    const user = server.as('member')
    const [url, empty] = [await uploaded(user, 'a.txt', 'gone'), await uploaded(user, 'b.txt', '')]
    const folder = join(server.dataFolder, 'uploads')
    const key = url.split('/')[3] ?? ''
    for (const [lose, method] of [
      [() => truncate(join(folder, 'files', key.slice(0, 2), key), 3), 'GET'],
      [() => rm(folder, { recursive: true }), 'GET'],
      [() => Promise.resolve(), 'HEAD'],
    ] as const) {
      await lose()
      const { status, headers } = await user.fetch(url, { method, headers: { Range: 'bytes=1-2' } })
      const ofFile = ['content-disposition', 'content-range', 'etag', 'last-modified'].map((name) => headers.get(name))
      assert.deepEqual([status, ...ofFile], [404, null, null, null, null])
    }
    assert.equal((await user.fetch(empty)).status, 404)
  })

  test('a file that the client has is not sent again', async () => {
    const user = await (await parley()).newUser()
    const url = await uploaded(user, 'a', 'a')
    const { headers } = await user.fetch(url)
    for (const [name, value] of [
      ['If-None-Match', headers.get('ETag') ?? ''],
      ['If-Modified-Since', headers.get('Last-Modified') ?? ''],
    ] as const) {
      const answer = await user.fetch(url, { headers: { [name]: value } })
      assert.deepEqual([answer.status, await answer.text()], [304, ''], name)
    }
    assert.equal((await user.fetch(url, { headers: { 'If-None-Match': '"other"' } })).status, 200)
    assert.notEqual((await user.fetch(await uploaded(user, 'a', 'a'))).headers.get('ETag'), headers.get('ETag'))
  })

  test('in a channel with closed history only received messages open a file, and none does for owners', async () => {
    const server = await parley()
    const [author, reader] = [await server.newUser(), await server.newUser()]
    const url = await uploaded(author, 'secret.txt', 'secret')
    const missing = { result: 'error', msg: 'There is no such file', code: 'BAD_REQUEST' }
    const seen = async (by: ApiClient): Promise<unknown> => {
      const file = await by.fetch(url)
      assert.equal(file.status, (await by.get(url)).status)
      return file.status === 200 ? file.text() : file.json()
    }
    const name = server.unique('Private')
    const subscriptions = [{ name }]
    const closed = { invite_only: true, history_public_to_subscribers: false }
    await author.must('POST', '/users/me/subscriptions', { subscriptions, ...closed })
    const send = (content: string) =>
      author.must('POST', '/messages', { type: 'channel', to: name, topic: 't', content })
    await send(`${server.url}${url}`)
    await author.must('POST', '/users/me/subscriptions', { subscriptions, principals: [reader.userId] })
    assert.deepEqual(await seen(reader), missing)
    await send(`again [secret](${url})`)
    assert.equal(await seen(reader), 'secret')
    assert.deepEqual(await seen(server.as('owner')), missing)
  })

  test('the whole address is compared', async () => {
    const user = await (await parley()).newUser()
    const url = await uploaded(user, 'a.txt', 'a')
    for (const other of [
      `${url}x`,
      url.replace('/1/', '/2/'),
      url.replace('a.txt', 'b.txt'),
      `${url.slice(0, -7)}/a.txt`,
    ]) {
      assert.equal((await user.fetch(other)).status, 404, other)
    }
  })
})

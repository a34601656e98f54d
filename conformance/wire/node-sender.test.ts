import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, before, test } from 'node:test'
import { type Send, sendByNode } from './node-sender.ts'

/** Answers with the relevant parts of the request. */
const server = createServer(async (request, response) => {
  const { method, url, headers } = request
  let sent = ''
  for await (const piece of request.setEncoding('utf8')) sent += piece
  if (url === '/silence') return
  if (url === '/cut') {
    response.writeHead(200, { 'Content-Length': '100' }).write('half', () => response.destroy())
    return
  }
  const [boundary = ''] = /(?<=boundary=).*/.exec(headers['content-type'] ?? '') ?? []
  const names = ['authorization', 'accept', 'content-type', 'content-length', 'range', 'user-agent'] as const
  const told = JSON.stringify([method, url, names.map((name) => headers[name]), sent])
  response.writeHead(url === '/away' ? 302 : 200, { 'Set-Cookie': ['a', 'b'], Location: '/elsewhere', ETag: '"1"' })
  response.end(`\ufeff${boundary === '' ? told : told.replaceAll(boundary, 'boundary')}`)
})
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => {
  server.closeAllConnections()
  server.close()
})

async function outcome(send: Send, path: string, init: RequestInit): Promise<unknown> {
  const { port } = server.address() as AddressInfo
  const { status, headers, text } = await send(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
  return [status, headers.get('set-cookie'), headers.get('location'), headers.get('etag'), await text()]
}

/** `text` must be called as a method. */
const byFetch: Send = async (url, init) => {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: () => response.text() }
}

function formWithFile(): FormData {
  const form = new FormData()
  form.append('name', 'ä')
  form.append('file', new File(['ö'], 'ü.txt', { type: 'text/plain' }))
  return form
}

const form = new URLSearchParams([['content', 'ä b']])
const headers = { 'User-Agent': 'Suite/1', Authorization: 'Basic eA==' }
const requests: [path: string, init: RequestInit][] = [
  ['/?q=ü c&r=%2e', {}],
  ['/up/../down/./here', { headers: { ...headers, Range: 'bytes=0-9' } }],
  ['/', { method: 'HEAD' }],
  ['/', { method: 'POST' }],
  ['/', { method: 'DELETE' }],
  ['/', { method: 'DELETE', body: form }],
  ['/', { method: 'PATCH', body: form, headers }],
  ['/', { method: 'POST', body: '{"ä":1}', headers: { ...headers, 'Content-Type': 'application/json' } }],
  ['/', { method: 'PUT', body: '' }],
  ['/', { method: 'POST', body: formWithFile(), headers }],
  ['/away', {}],
]

test('sends what fetch sends, and makes of the answer what fetch makes of it', async () => {
  for (const [path, init] of requests) {
    const named = { ...init, headers: { 'User-Agent': 'Suite/1', ...init.headers } }
    assert.deepEqual(await outcome(sendByNode, path, named), await outcome(byFetch, path, named))
  }
})

test('an answer that is cut off, never comes, or is not waited for is an error', async () => {
  await assert.rejects(outcome(sendByNode, '/cut', {}), /aborted/)
  await assert.rejects(outcome(sendByNode, '/silence', { signal: AbortSignal.timeout(20) }), { name: 'AbortError' })
  await assert.rejects(outcome(sendByNode, '/', { signal: AbortSignal.abort() }), { name: 'AbortError' })
  await assert.rejects(sendByNode('http://127.0.0.1:2/', {}), /ECONNREFUSED/)
})

test('what reads is asked again where the server has just closed the connection, what writes is not', async (t) => {
  const closing = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
      socket.on('data', () => socket.destroy())
    })
  })
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
  t.after(() => closing.close())
  const ask = async (method: string): Promise<string> => {
    const answer = await sendByNode(`http://127.0.0.1:${(closing.address() as AddressInfo).port}/`, { method })
    return answer.text()
  }
  assert.deepEqual([await ask('GET'), await ask('GET')], ['{}', '{}'])
  await assert.rejects(ask('POST'), { code: 'ECONNRESET' })
})

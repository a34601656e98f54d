import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { oneAtATime } from './one-at-a-time.ts'

const request = (path: string | number): string => `GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** A server with `onRequest`, and a connection to it. */
async function connected(t: TestContext, onRequest: (path: string, response: ServerResponse) => void) {
  const sockets: Socket[] = []
  const server = createServer(oneAtATime(({ url }, response) => onRequest(url?.slice(1) ?? '', response)))
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => {
    client.destroy()
    server.close()
    server.closeAllConnections()
  })
  await once(client, 'connect')
  return { client, sockets }
}

/** Resolves when the client has received `count` answers, with their texts. */
function received(client: Socket, count: number): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  let text = ''
  client.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    const bodies = [...text.matchAll(/<(\d+)>/g)].map(([, body]) => body ?? '')
    if (bodies.length >= count) resolve(bodies)
  })
  return promise
}

describe('requests sent without waiting for answers (SEC-HTTP-13)', () => {
  test('are answered in order, one at a time, and others have turns in between', async (t) => {
    const count = 2000
    let running = 0
    let most = 0
    let turns = 0
    let inThisTurn = 0
    let mostInATurn = 0
    const { client } = await connected(t, (path, response) => {
      running += 1
      most = Math.max(most, running)
      inThisTurn += 1
      mostInATurn = Math.max(mostInATurn, inThisTurn)
      setImmediate(() => {
        turns += 1
        inThisTurn = 0
        running -= 1
        response.end(`<${path}>`)
      })
    })
    const all = received(client, count)
    client.write(Array.from({ length: count }, (_, index) => request(index)).join(''))
    assert.deepEqual(
      await all,
      Array.from({ length: count }, (_, index) => String(index)),
    )
    assert.deepEqual([most, mostInATurn, turns], [1, 1, count])
  })

  test('are not read during the first one, except for what came with it', async (t) => {
    const first = Promise.withResolvers<ServerResponse>()
    const paths: string[] = []
    const { client, sockets } = await connected(t, (path, response) => {
      paths.push(path)
      if (path === '0') first.resolve(response)
      else response.end(`<${path}>`)
    })
    const count = 50_000
    const bytes = Array.from({ length: count }, (_, index) => request(index)).join('')
    const all = received(client, 1000)
    client.write(bytes)
    const response = await first.promise
    // Everything else in progress is done: the server has read what it reads.
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(paths, ['0'])
    const read = sockets[0]?.bytesRead ?? Number.NaN
    assert.ok(read < bytes.length / 2, `${read} of ${bytes.length} bytes have been read`)
    response.end('<0>')
    assert.equal((await all)[999], '999')
  })

  test('are not ended by the timeout of the earlier answer', async (t) => {
    const timeouts: (number | undefined)[] = []
    const { client } = await connected(t, (path, response) => {
      const { socket } = response.req
      timeouts.push(socket.timeout)
      socket.setTimeout(60_000)
      response.end(`<${path}>`)
    })
    const both = received(client, 2)
    client.write(request(0) + request(1))
    await both
    assert.deepEqual(timeouts, [0, 0])
  })

  test('a closed connection drops its waiting requests', async (t) => {
    const first = Promise.withResolvers<ServerResponse>()
    const paths: string[] = []
    const { client, sockets } = await connected(t, (path, response) => {
      paths.push(path)
      first.resolve(response)
    })
    client.write(request(0) + request(1) + request(2))
    const response = await first.promise
    const closed = once(sockets[0] as Socket, 'close')
    sockets[0]?.destroy()
    await closed
    response.end('<0>')
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(paths, ['0'])
  })
})

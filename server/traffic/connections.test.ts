import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { embeddedConfig } from '../config.ts'
import { closeServer, listen } from '../listening.ts'
import { head, ONE_ANSWER, open } from '../raw-connection-testing.ts'
import { sharedParley, type TestServer } from '../testing.ts'
import { addressKey, Connections } from './connections.ts'

const { traffic: DEFAULTS } = embeddedConfig({ dataFolder: '/nowhere' })
const settings = { ...DEFAULTS, receiveSeconds: 60 }
const quiet = { logLevel: 'silent' } as const

/** Opens a connection, sends one request and gets its answer; the connection stays open. */
async function connected(server: TestServer, key?: string): Promise<{ socket: Socket; answer: string }> {
  const path = key === undefined ? '/health' : '/api/v1/users/me'
  const socket = open(server, head(server, `GET ${path}`, key))
  return { socket, answer: await next(socket) }
}

async function next(socket: Socket): Promise<string> {
  let text = ''
  while (!ONE_ANSWER.test(text)) text += String((await once(socket, 'data'))[0])
  return text
}

async function serves(server: TestServer, { socket }: { socket: Socket }, key: string): Promise<void> {
  socket.write(head(server, 'GET /api/v1/users/me', key))
  assert.match(await next(socket), /^HTTP\/1\.1 200 /)
}

describe('connections (SEC-HTTP-5)', () => {
  const perAddress = sharedParley('sqlite', {
    ...quiet,
    traffic: { ...settings, connections: { all: 100, perAddress: 3, perAccount: 100 } },
  })
  const perAccount = sharedParley('sqlite', {
    ...quiet,
    traffic: { ...settings, connections: { all: 100, perAddress: 100, perAccount: 3 } },
  })
  const ofAll = sharedParley('sqlite', {
    ...quiet,
    traffic: { ...settings, connections: { all: 4, perAddress: 100, perAccount: 100 } },
  })

  test('of an address without credentials: the oldest makes room, and those with credentials stay', async () => {
    const server = await perAddress()
    const members = [await connected(server, 'member'), await connected(server, 'member')]
    const unknown = [await connected(server), await connected(server), await connected(server)]
    const closed = once(unknown[0]?.socket as Socket, 'close')
    const fourth = await connected(server)
    await closed
    assert.match(fourth.answer, /^HTTP\/1\.1 200 /)
    assert.deepEqual(
      unknown.map(({ socket }) => socket.closed),
      [true, false, false],
    )
    for (const connection of members) await serves(server, connection, 'member')
    // With credentials it no longer counts.
    await serves(server, fourth, 'guest')
    const more = await connected(server)
    assert.deepEqual([unknown[1]?.socket.closed, fourth.socket.closed], [false, false])
    for (const { socket } of [...members, ...unknown, fourth, more]) socket.destroy()
  })

  test('of an account: 429 above the limit, which does not keep others out', async () => {
    const server = await perAccount()
    const guests = [
      await connected(server, 'guest'),
      await connected(server, 'guest'),
      await connected(server, 'guest'),
    ]
    const fourth = await connected(server, 'guest')
    assert.match(fourth.answer, /^HTTP\/1\.1 429 [\s\S]*\r\nConnection: close\r\n/)
    assert.match((await connected(server, 'member')).answer, /^HTTP\/1\.1 200 /)
    for (const connection of guests) await serves(server, connection, 'guest')
    // A connection that a proxy keeps open belongs to the account that used it last.
    await serves(server, guests[0] as { socket: Socket }, 'member')
    assert.match((await connected(server, 'guest')).answer, /^HTTP\/1\.1 200 /)
  })

  test('of all: the oldest without credentials makes room; without one, the new connection is refused', async () => {
    const server = await ofAll()
    const idle = await connected(server)
    const members = []
    for (let count = 0; count < 4; count += 1) members.push(await connected(server, 'member'))
    assert.equal(idle.socket.closed, true)
    const refused = open(server, '')
    refused.on('error', () => undefined)
    await once(refused, 'close')
    for (const connection of members) await serves(server, connection, 'member')
    for (const { socket } of members) socket.destroy()
  })

  test('are counted in /metrics', async () => {
    const server = await perAddress()
    const text = await (await fetch(`${server.url}/metrics`)).text()
    assert.match(text, /^parley_connections\{state="all"\} [1-9]/m)
    assert.match(text, /^parley_refused_total\{what="connection",reason="address"\} 1$/m)
  })
})

test('an IPv6 address is identified by its first half', () => {
  const cases: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ]
  for (const [address, key] of cases) assert.equal(addressKey(address), key, address)
})

test('SEC-HTTP-5, G12: a crowd of new connections waits in the accept queue, which would otherwise drop some', (t) => {
  const server = createServer()
  const asked = t.mock.method(server, 'listen', () => server)
  void listen(server, 0, '127.0.0.1')
  const options = asked.mock.calls[0]?.arguments.at(0) as { readonly backlog?: number } | undefined
  assert.ok((options?.backlog ?? 511) >= 4096)
})

test('a stopping server lets a client read its answer to the end, and then closes the connection', async () => {
  const size = 16 * 1024 * 1024
  const server = createServer((_request, response) => response.end(Buffer.alloc(size)))
  const connections = new Connections(settings.connections, assert.fail)
  connections.watch(server)
  const { port } = new URL(await listen(server, 0, '127.0.0.1'))
  const reading = connect(Number(port))
  const asked = once(server, 'request')
  reading.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await asked
  const closed = closeServer(server, connections)
  let received = 0
  reading.on('data', (data) => {
    received += data.length
  })
  await Promise.all([closed, once(reading, 'close')])
  assert.ok(received > size, `${received} bytes`)
})

test('a stopping server does not wait for a connection without a request', async () => {
  const server = createServer()
  const connections = new Connections(settings.connections, assert.fail)
  connections.watch(server)
  const { port } = new URL(await listen(server, 0, '127.0.0.1'))
  const accepted = once(server, 'connection')
  const unused = connect(Number(port))
  const [socket] = await accepted
  const closed = once(unused, 'close')
  const stopped = closeServer(server, connections)
  assert.equal(socket.destroyed, true, 'after the time that busy connections get')
  await Promise.all([closed, stopped])
})

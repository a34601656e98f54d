import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { bareServer, KIB, someTurns, withBody } from '../bare-server-testing.ts'
import { holdReading } from './held-reading.ts'

const BODY_KIB = 1000
/** Number of bytes that the server reads at once. */
const READ = 64 * KIB

/** A request with a long body, once `onRequest` has seen its head. */
async function requested(t: TestContext, onRequest: (request: IncomingMessage) => void): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  const send = await bareServer(t, (request) => {
    onRequest(request)
    resolve(request)
  })
  send(withBody(BODY_KIB))
  return promise
}

test('a connection on hold is not read, whatever resumes it (SEC-LOOP-6)', async (t) => {
  const releases: (() => void)[] = []
  const request = await requested(t, ({ socket }) => releases.push(holdReading(socket), holdReading(socket)))
  const { socket } = request
  request.resume()
  socket.resume()
  await someTurns()
  assert.ok(socket.bytesRead <= READ, `${socket.bytesRead} bytes were read`)
  releases[0]?.()
  releases[0]?.()
  await someTurns()
  assert.ok(socket.bytesRead <= READ, `${socket.bytesRead} bytes were read with one hold of two`)
  releases[1]?.()
  await once(request, 'end')
  assert.ok(socket.bytesRead > BODY_KIB * KIB)
})

test('a connection that is released and held again in one tick stays on hold', async (t) => {
  let release: (() => void) | undefined
  const request = await requested(t, ({ socket }) => {
    release = holdReading(socket)
  })
  const { socket } = request
  request.resume()
  release?.()
  const again = holdReading(socket)
  await someTurns()
  assert.ok(socket.bytesRead <= READ, `${socket.bytesRead} bytes were read`)
  again()
  await once(request, 'end')
})

test('a connection can be held after each of its reads', async (t) => {
  const request = await requested(t, ({ socket }) => setImmediate(holdReading(socket)))
  const { socket } = request
  let before = socket.bytesRead
  request.on('data', () => {
    assert.ok(socket.bytesRead - before <= READ, 'more than one read between two holds')
    before = socket.bytesRead
    setImmediate(holdReading(socket))
  })
  await once(request, 'end')
})

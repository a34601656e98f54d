import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, test } from 'node:test'
import { listening } from '../testing.ts'
import { sendByNode } from './node-sender.ts'

const server = createServer((request, response) => {
  if (request.url === '/cut') {
    response.writeHead(200, { 'Content-Length': '100' }).write('half', () => response.destroy())
  }
})
const { url, close } = await listening(server)
after(close)

async function outcome(path: string, init: RequestInit): Promise<string> {
  return (await sendByNode(`${url}${path}`, init)).text()
}

test('an answer that is cut off, missing, or not awaited is an error', async () => {
  await assert.rejects(outcome('/cut', {}), /aborted/)
  await assert.rejects(outcome('/silence', { signal: AbortSignal.timeout(20) }), { name: 'AbortError' })
  await assert.rejects(outcome('/', { signal: AbortSignal.abort() }), { name: 'AbortError' })
  await assert.rejects(sendByNode('http://127.0.0.1:2/', {}), /ECONNREFUSED/)
})

test('reads are repeated if the server has just closed the connection, writes are not', async (t) => {
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

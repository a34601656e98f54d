import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { requestOf } from '../../conformance/deployment/account.ts'
import { type Operation, readContract } from '../../conformance/wire/contract.ts'
import { embeddedConfig } from '../config.ts'
import { answerTo, head, ONE_ANSWER, open, received } from '../raw-connection-testing.ts'
import { metric, sharedParley, type TestServer, until } from '../testing.ts'

const { traffic: DEFAULTS } = embeddedConfig({ dataFolder: '/nowhere' })
const KIB = 1024
const FORM = 'Content-Type: application/x-www-form-urlencoded'
const MULTIPART = 'Content-Type: multipart/form-data; boundary=B'
const FILE = '--B\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
const length = (bytes: number) => `Content-Length: ${bytes}`

/** Bytes of bodies that the server reports. */
const bytesHeld = (server: TestServer) => metric(server.url, 'parley_body_bytes')

/** Sent data may not have arrived yet. */
const untilHeld = (server: TestServer, isEnough: (bytes: number) => boolean) =>
  until(async () => isEnough(await bytesHeld(server)))

async function refusedBodies(server: TestServer): Promise<string[]> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return text.match(/^parley_refused_total\{what="body".*$/gm) ?? []
}

describe('bodies in memory (SEC-HTTP-3)', () => {
  const MIB = 1024 * KIB
  const settings = {
    ...DEFAULTS,
    bodiesMib: 16,
    receiveSeconds: 60,
    connections: { all: 100, perAddress: 100, perAccount: 100 },
  }
  const parley = sharedParley('sqlite', { logLevel: 'silent', traffic: settings })
  /** An eighth of the part that is then left. */
  const share = Math.floor((16 * MIB) / 9)

  /** A form without its end. */
  const unfinished = (server: TestServer, path: string, key: string | undefined, bytes: number): Socket =>
    open(server, `${head(server, `POST /api/v1${path}`, key, FORM, length(bytes + 1))}content=${'x'.repeat(bytes - 8)}`)

  test('of one account have a limit, which does not keep others out', async () => {
    const server = await parley()
    const sockets = [unfinished(server, '/messages/render', 'guest', 900 * KIB)]
    await untilHeld(server, (bytes) => bytes === 900 * KIB)
    const second = unfinished(server, '/messages/render', 'guest', 1000 * KIB)
    const answer = await received(second)
    assert.match(answer, /^HTTP\/1\.1 429 [\s\S]*\r\nConnection: close\r\n[\s\S]*"RATE_LIMIT_HIT"/)
    assert.ok((await bytesHeld(server)) <= share)
    const other = await server.as('member').post('/messages/render', { content: 'x'.repeat(900_000) })
    assert.equal(other.status, 200)
    assert.equal((await server.as('guest').post('/messages/render', { content: 'short' })).status, 200)
    sockets.push(unfinished(server, '/fetch_api_key', undefined, 10 * KIB))
    await untilHeld(server, (bytes) => bytes === 910 * KIB)
    for (const socket of sockets) socket.destroy()
    await untilHeld(server, (bytes) => bytes === 0)
  })

  test('count unpacked', async () => {
    const server = await parley()
    const body = gzipSync('content=x')
    const packed = head(server, 'POST /api/v1/messages/render', 'guest', FORM, 'Content-Encoding: gzip', length(1000))
    const sockets = [open(server, packed + body.subarray(0, 10).toString('latin1'))]
    await untilHeld(server, (bytes) => bytes >= MIB)
    assert.match(await received(open(server, packed)), /^HTTP\/1\.1 429 /)
    for (const socket of sockets) socket.destroy()
    await untilHeld(server, (bytes) => bytes === 0)
  })

  test('of files are partly in memory: 25 MiB pass where 16 MiB may be in memory', async () => {
    const server = await parley()
    const { status } = await server.as('member').upload('large.bin', new Uint8Array(25 * MIB))
    assert.equal(status, 200)
    assert.equal(await bytesHeld(server), 0)
  })
})

describe('missing bodies (SEC-HTTP-4)', () => {
  const settings = {
    ...DEFAULTS,
    bodiesMib: 16,
    receiveSeconds: 0.05,
    connections: { all: 100, perAddress: 100, perAccount: 100 },
  }
  const parley = sharedParley('sqlite', { logLevel: 'silent', traffic: settings })

  for (const [what, line, type, part] of [
    ['a form', 'POST /api/v1/messages', FORM, 'type='],
    ['a multipart form', 'POST /api/v1/messages', MULTIPART, '--B\r\nContent-Disposition: form-data; name="type"\r\n'],
    ['a form of nobody', 'POST /api/v1/fetch_api_key', FORM, 'username='],
    ['a packed form', 'POST /api/v1/messages', `${FORM}\r\nContent-Encoding: gzip`, ''],
    ['a file', 'POST /api/v1/user_uploads', MULTIPART, `${FILE}abc`],
  ] as const) {
    test(`${what}: 408, and the connection ends`, async () => {
      const server = await parley()
      const answer = await received(open(server, head(server, line, 'member', type, length(1000)) + part))
      assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*\r\nConnection: close\r\n[\s\S]*"code":"BAD_REQUEST"/)
      assert.match(String(await refusedBodies(server)), /reason="slow"/)
      assert.equal(await bytesHeld(server), 0)
    })
  }

  test('every operation answers 408 (BAD_REQUEST) without its body, as the contract says', async () => {
    const server = await parley()
    const { operations } = readContract()
    const slow = [...operations.values()].filter(({ id }) => id !== 'get-metrics') // is not on here
    assert.ok(slow.every(({ errors }) => errors.some(({ status }) => status === 408)))
    const begin = (operation: Operation): Promise<string> => {
      const { method, path } = requestOf(operation, {})
      const type = operation.parameters.some((parameter) => parameter.in === 'file') ? MULTIPART : FORM
      const bytes = head(server, `${method} ${path}`, 'owner', type, length(1000))
      return answerTo(server, type === MULTIPART ? bytes + FILE : bytes)
    }
    // Not all at once, because bodies without credentials share a limit.
    for (let start = 0; start < slow.length; start += 10) {
      const answers = await Promise.all(slow.slice(start, start + 10).map(begin))
      for (const [index, answer] of answers.entries()) assert.match(answer, /^HTTP\/1\.1 408 /, slow[start + index]?.id)
    }
  })

  test('an incomplete file leaves nothing behind', async () => {
    const server = await parley()
    const kept = await filesIn(server, 'files')
    const bytes = head(server, 'POST /api/v1/user_uploads', 'member', MULTIPART, length(1_000_000))
    assert.match(await answerTo(server, `${bytes}${FILE}${'x'.repeat(100)}`), /^HTTP\/1\.1 408 /)
    // The answer does not wait for the disk.
    while ((await filesIn(server, 'unfinished')).length > 0);
    assert.deepEqual(await filesIn(server, 'files'), kept)
  })

  const filesIn = async ({ dataFolder }: TestServer, folder: string) =>
    (await readdir(join(dataFolder, 'uploads', folder), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)

  test('a file that arrives steadily has enough time', async () => {
    const server = await parley()
    const content = 'x'.repeat(64 * KIB)
    const end = '\r\n--B--\r\n'
    const total = FILE.length + 2 * content.length + end.length
    const socket = open(server, head(server, 'POST /api/v1/user_uploads', 'member', MULTIPART, length(total)))
    socket.write(FILE + content)
    // Other requests time out after more than a form's time.
    assert.match(
      await answerTo(server, head(server, 'POST /api/v1/messages', 'member', FORM, length(10))),
      /^HTTP\/1\.1 408 /,
    )
    socket.write(content + end)
    assert.match(await received(socket, ONE_ANSWER), /^HTTP\/1\.1 200 /)
  })

  test('missing headers: 408 in the envelope', async () => {
    const server = await parley()
    const socket = open(server, 'GET /api/v1/users HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 408 [\s\S]*\{"result":"error","msg":"[^"]+","code":"BAD_REQUEST"\}\n$/)
    socket.destroy()
  })
})

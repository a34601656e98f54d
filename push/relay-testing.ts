import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sodium from 'libsodium-wrappers'

interface Taken {
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: what the server sent, of every shape
  readonly body: any
}

/** A push service for tests that records all requests. */
export interface TestRelay {
  readonly url: string
  /** Status of its answers; 0 breaks the connection, and `hang` never answers. */
  status: number | 'hang'
  /** Requests that contain this token are answered with 400. */
  refusedToken?: string
  taken: Taken[]
  /** Resolves after the next `count` requests, however they are answered. */
  arrivals(count: number): Promise<void>
  stop(): void
}

export async function startRelay(): Promise<TestRelay> {
  const waiting: { left: number; readonly resolve: () => void }[] = []
  const service = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      for (const one of waiting) {
        one.left -= 1
        if (one.left === 0) one.resolve()
      }
      if (relay.status === 0) return request.socket.destroy()
      const text = Buffer.concat(chunks).toString()
      relay.taken.push({ path: request.url ?? '', body: JSON.parse(text) })
      if (relay.status === 'hang') return undefined
      const isRefused = relay.refusedToken !== undefined && text.includes(relay.refusedToken)
      response.writeHead(isRefused ? 400 : relay.status, { location: 'http://127.0.0.1:1/' }).end('{}')
      return undefined
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const relay: TestRelay = {
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/relay`,
    status: 200,
    taken: [],
    arrivals: (count) => new Promise((resolve) => waiting.push({ left: count, resolve })),
    stop() {
      service.close()
      service.closeAllConnections()
    },
  }
  return relay
}

/** Decrypts a notification like the device with this key. */
export async function opened(encrypted: string, key: Uint8Array) {
  await sodium.ready
  const bytes = Buffer.from(encrypted, 'base64')
  return JSON.parse(sodium.crypto_secretbox_open_easy(bytes.subarray(24), bytes.subarray(0, 24), key, 'text'))
}

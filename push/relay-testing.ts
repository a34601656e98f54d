import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sodium from 'libsodium-wrappers'

interface Taken {
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: what the server sent, of every shape
  readonly body: any
}

/** A service for notifications, which keeps all that it gets. */
export interface TestRelay {
  readonly url: string
  /** Of its answers; 0 is a connection that breaks, and `hang` an answer that never comes. */
  status: number | 'hang'
  /** Answers that one with 400, whatever else it gets. */
  refusedToken?: string
  taken: Taken[]
  /** Resolves with the next requests, whatever they are answered, when there are `count`. */
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

/** What a device with that key reads. */
export async function opened(encrypted: string, key: Uint8Array) {
  await sodium.ready
  const bytes = Buffer.from(encrypted, 'base64')
  return JSON.parse(sodium.crypto_secretbox_open_easy(bytes.subarray(24), bytes.subarray(0, 24), key, 'text'))
}

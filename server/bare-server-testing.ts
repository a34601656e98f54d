import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export const KIB = 1024

/** A plain Node server with this listener, for one test. Returns a function that sends bytes on a new connection. */
export async function bareServer(t: TestContext, listener: RequestListener): Promise<(bytes: string) => Socket> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return (bytes) => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined)
    client.write(bytes)
    return client
  }
}

/** A request with a body of that many KiB. */
export function withBody(kib: number): string {
  return `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${kib * KIB}\r\n\r\n${'x'.repeat(kib * KIB)}`
}

/** Waits until everything in progress is done. */
export async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

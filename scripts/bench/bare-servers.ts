import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BareServerInput {
  /** The body of every answer. */
  readonly body: string
  /** Bodies that are too long for an argument of a process are this many times `body`; default 1. */
  readonly times?: number
}

/**
 * A server on bare node:http with the same body. It can also park requests like event queues: the floor of the fan-out.
 */
export function startBareHttp({ body: part, times = 1 }: BareServerInput): Promise<string> {
  const parked: ServerResponse[] = []
  const body = part.repeat(times)
  const length = Buffer.byteLength(body)
  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length })
    response.end(body)
  }
  // Like Parley: thousands of connections wait for their turn.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    request.resume()
    if (request.method === 'GET' && request.url?.startsWith('/api/v1/events')) {
      parked.push(response)
    } else if (request.url === '/metrics') {
      response.end(`parley_event_queues{state="parked"} ${parked.length}\n`)
    } else {
      answer(response)
      for (const waiting of parked.splice(0)) answer(waiting)
    }
  })
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

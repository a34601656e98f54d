import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { isObject, listOf } from '../wire/values.ts'
import { CannotRunError } from './credentials.ts'

/** How a relay handles a request: answers this status, or closes the connection. */
export type RelayBehaviour = number | 'closes'

/** Parley's push service, played by the suite where the deployment uses it (docs/push.md). It delivers nothing. */
export class PushRelay {
  behaviour: RelayBehaviour = 200
  /** Tokens of the devices that got notifications, in order. */
  readonly notified: string[] = []
  readonly url: string
  readonly #server: Server

  /**
   * @param url where the server calls it, with or without a path; port 0 means any free one
   * @throws {CannotRunError} if the suite cannot listen there
   */
  static async listen(url = 'http://127.0.0.1:0'): Promise<PushRelay> {
    const { protocol, hostname, port, pathname } = new URL(url)
    if (protocol !== 'http:') throw new CannotRunError(`a push service is at an http address here, not at '${url}'`)
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', (err) => reject(new CannotRunError(`no push service can be at ${url}: ${err.message}`)))
      server.listen(Number(port) || (port === '0' ? 0 : 80), hostname.replace(/^\[|\]$/g, ''), resolve)
    })
    // The process need not wait for it to end.
    server.unref()
    const path = pathname === '/' ? '' : pathname
    return new PushRelay(server, `http://${hostname}:${(server.address() as AddressInfo).port}${path}`)
  }

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
    server.on('request', async (request, response) => {
      const body: unknown = await json(request).catch(() => undefined)
      for (const { token_id: token } of isObject(body) ? listOf(body.notifications) : [])
        this.notified.push(String(token))
      if (this.behaviour === 'closes') request.socket.destroy()
      else response.writeHead(this.behaviour).end('{}')
    })
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

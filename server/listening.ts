import type { Server, ServerOptions, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { BadRequestError } from '../domain/errors.ts'
import type { Config } from './config.ts'
import { errorBody, JSON_HEADERS } from './respond.ts'
import { urlAt } from './settings.ts'
import { STOP_MS } from './traffic/answers-under-way.ts'
import type { Connections } from './traffic/connections.ts'

/** Large enough for a query string with as many message IDs as an answer may have messages. */
const MAX_HEADER_BYTES = 128 * 1024
/** Time for a request to arrive; enough for a large file at 100 KiB a second. */
const REQUEST_MS = 300_000
const UPLOAD_MS_PER_MIB = 10_000
/**
 * Longer than clients and proxies keep idle connections (a minute), so that they do not send into one that is being
 * closed.
 */
const KEEP_ALIVE_MS = 65_000
/** How often Node checks for slow headers. */
const CHECK_CONNECTIONS_MS = 5000

/** How long a request may take to arrive. */
export function longestRequestMs({ uploads }: Config): number {
  return Math.max(REQUEST_MS, uploads.maxFileMib * UPLOAD_MS_PER_MIB)
}

/** Options with which Node parses requests for a Parley. */
export function listenerOptions(config: Config): ServerOptions {
  const headersTimeout = Math.ceil(config.traffic.receiveSeconds * 1000)
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node itself would answer a missing Host or unknown Expect with an empty body.
    requireHostHeader: false,
    requestTimeout: longestRequestMs(config),
    headersTimeout,
    connectionsCheckingInterval: Math.min(headersTimeout, CHECK_CONNECTIONS_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
}

/** By Node's error codes. */
const UNREADABLE: Readonly<Record<string, readonly [status: string, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'URL and headers are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request arrives too slowly'],
}

/** Without these, web pages of other origins cannot read the answer. */
const FOR_READERS = /^(?:access-control-.*|vary|x-request-id)$/

/** Answers data that is not HTTP, which Koa never sees, in the envelope as well (ENV-6). */
export function refuse(err: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse | null }): void {
  // Same as in Node: never write into the middle of an answer.
  if (err.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const [status, sentence] = UNREADABLE[err.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP']
  const body = errorBody(new BadRequestError(sentence))
  const begun = Object.entries(socket._httpMessage?.getHeaders() ?? {}).filter(([name]) => FOR_READERS.test(name))
  const headers = { ...Object.fromEntries(begun), ...JSON_HEADERS, Connection: 'close', 'Content-Length': body.length }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Length of the system's accept queue. Node's 511 is too short for a crowd, and the system retries a connection that
 * finds no place only after 200 ms or more, no matter who opened it.
 */
const MAX_NOT_ACCEPTED = 4096

/** @returns http://host:port with the actual port */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('close', () => reject(new Error('The server was stopped before it listened')))
    server.listen({ port, host, backlog: MAX_NOT_ACCEPTED }, () => {
      server.off('error', reject)
      const address = server.address() as AddressInfo
      resolve(urlAt(address.address, address.port))
    })
  })
}

/** Stops accepting connections, closes idle ones, and gives busy ones some time. */
export function closeServer(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    connections.closeUnused()
    const timer = setTimeout(() => server.closeAllConnections(), STOP_MS)
    // Node takes a connection for idle although its client is still reading the answer, and closes idle ones only once.
    const idle = setInterval(() => {
      if (!connections.areSending) server.closeIdleConnections()
    }, 20)
    // `close` of http.Server would close idle connections at once. It is called at the end, because it stops a timer.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(timer)
      clearInterval(idle)
      server.close()
      resolve()
    })
  })
}

import { connect, type Socket } from 'node:net'
import { basic, type TestServer } from './testing.ts'

/** Opens a connection and sends these exact bytes. */
export function open(server: TestServer, bytes: string): Socket {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.setEncoding('latin1')
  socket.write(Buffer.from(bytes, 'latin1'))
  return socket
}

/** Returns the text that arrived until it matched, and then closes the connection; or until the server closed it. */
export function received(socket: Socket, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('data', (chunk: string) => {
      text += chunk
      if (until?.test(text)) {
        socket.destroy()
        resolve(text)
      }
    })
    socket.on('close', () => resolve(text))
    socket.on('error', (err: NodeJS.ErrnoException) =>
      err.code === 'ECONNRESET' || err.code === 'EPIPE' ? resolve(text) : reject(err),
    )
  })
}

/** Any single answer with a JSON body. */
export const ONE_ANSWER = /^HTTP\/1\.1 \d+ [\s\S]*\r\n\r\n\{[\s\S]*\}\n/

export function answerTo(server: TestServer, bytes: string): Promise<string> {
  return received(open(server, bytes), ONE_ANSWER)
}

/** First lines of a request, with the credentials of `key`. */
export function head(server: TestServer, line: string, key: string | undefined, ...headers: string[]): string {
  const lines = [`${line} HTTP/1.1`, 'Host: x', ...headers]
  if (key !== undefined) {
    const { email, apiKey } = server.as(key)
    lines.push(`Authorization: ${basic(email, apiKey)}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

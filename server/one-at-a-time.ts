import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { holdReading } from './held-reading.ts'

/** The requests of one connection that have arrived and not been answered. */
interface Line {
  isBusy: boolean
  readonly waiting: [IncomingMessage, ServerResponse][]
  /** Reads the connection again; no body is missing while a request waits: it came after that body. */
  release: (() => void) | undefined
}

/**
 * Gives `answer` one request of each connection at a time (SEC-HTTP-13). Node parses whatever a client sends without waiting
 * for answers and hands over all of it in one turn of the event loop: what has been parsed already waits here, the rest is
 * not read, and others have their turn after each answer.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.isBusy = true
    response.once('close', () => {
      // Where nothing waits nobody's turn is taken by going on at once.
      if (line.waiting.length === 0) goOn(line, request.socket)
      else setImmediate(goOn, line, request.socket)
    })
    void answer(request, response)
  }

  function goOn(line: Line, socket: Socket): void {
    line.isBusy = false
    if (socket.destroyed) return
    const next = line.waiting.shift()
    // Also while the last of them is worked on: whether its client leaves is known by reading only.
    if (line.waiting.length === 0) {
      line.release?.()
      line.release = undefined
    }
    if (next) begin(line, ...next)
  }

  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket) ?? { isBusy: false, waiting: [], release: undefined }
    lines.set(socket, line)
    if (!line.isBusy && line.waiting.length === 0) return begin(line, request, response)
    line.waiting.push([request, response])
    line.release ??= holdReading(socket)
  }
}

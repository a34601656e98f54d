import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { holdReading } from './held-reading.ts'

/** Requests of one connection that have arrived and are not answered yet. */
interface Line {
  isBusy: boolean
  readonly waiting: [IncomingMessage, ServerResponse][]
  /** Resumes reading of the connection. No body is blocked while a request waits, because the request came after it. */
  release: (() => void) | undefined
}

/**
 * Passes one request of each connection at a time to `answer` (SEC-HTTP-13). Node parses pipelined requests in one turn
 * of the event loop; requests that are parsed already wait here, the rest is not read, and others get a turn after each
 * answer.
 */
export function oneAtATime(answer: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.isBusy = true
    // Node keeps the timeout of an answer (answers.ts) if another request was waiting behind it.
    request.socket.setTimeout(0)
    response.once('close', () => {
      // If nothing waits, going on at once takes no turn from others.
      if (line.waiting.length === 0) goOn(line, request.socket)
      else setImmediate(goOn, line, request.socket)
    })
    void answer(request, response)
  }

  function goOn(line: Line, socket: Socket): void {
    line.isBusy = false
    if (socket.destroyed) return
    const next = line.waiting.shift()
    // Reading also resumes during the last one, because only reading shows that its client disconnects.
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

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Clock } from '../../domain/clock.ts'
import type { Config } from '../config.ts'
import { createServer } from '../http.ts'
import { listen, listenerOptions, refuse } from '../listening.ts'
import { AnswersUnderWay } from '../traffic/answers-under-way.ts'

/** Listens at one address for a series of servers; without a server, connections are closed. */
export class Front {
  readonly #server: Server
  readonly underWay = new AnswersUnderWay()
  #answer: RequestListener | undefined

  /** @param control answers requests for the stand-in itself, and recognizes them */
  constructor(config: Config, clock: Clock, control: (request: IncomingMessage, response: ServerResponse) => boolean) {
    const answer: RequestListener = (request, response) => {
      setDateHeader(response, clock)
      if (!control(request, response)) this.#pass(request, response)
    }
    this.#server = createServer(listenerOptions(config), answer)
    this.#server.on('checkExpectation', answer)
    this.#server.on('clientError', refuse)
  }

  /** @returns the address */
  listen(port: number, host: string): Promise<string> {
    return listen(this.#server, port, host)
  }

  /** Sets the server that answers from now on; undefined for none. */
  pass(answer: RequestListener | undefined): void {
    this.#answer = answer
  }

  /** Closes connections as a server that ends does. */
  closeConnections(): void {
    this.#server.closeIdleConnections()
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#answer) {
      request.socket.destroy()
      return
    }
    // The journal and this add listeners, beside those that the server expects.
    response.setMaxListeners(0)
    this.underWay.add(request, response)
    void this.#answer(request, response)
  }
}

/** Answers have the server's time, not that of the machine. */
function setDateHeader(response: ServerResponse, clock: Clock): void {
  const { writeHead } = response
  response.writeHead = ((...args: unknown[]) => {
    response.setHeader('Date', new Date(clock.now()).toUTCString())
    return (writeHead as (...all: unknown[]) => unknown).apply(response, args)
  }) as never
}

import type { IncomingMessage, ServerResponse } from 'node:http'

/** Time for open requests when a server stops. */
export const STOP_MS = 5000

/** Requests of an HTTP server that goes on when a Parley behind it stops. */
export class AnswersUnderWay {
  readonly #requests = new Map<ServerResponse, IncomingMessage>()
  #onSettled: (() => void) | undefined

  add(request: IncomingMessage, response: ServerResponse): void {
    this.#requests.set(response, request)
    response.once('close', () => {
      this.#requests.delete(response)
      if (this.#requests.size === 0) this.#onSettled?.()
    })
  }

  /** Resolves when all answers are sent or their clients have disconnected. */
  async settled(): Promise<void> {
    if (this.#requests.size === 0) return
    const timer = setTimeout(() => {
      for (const { socket } of this.#requests.values()) socket.destroy()
    }, STOP_MS)
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve
    })
    clearTimeout(timer)
  }
}

import type { ServerResponse } from 'node:http'
import { type Holder, Shares } from './shares.ts'

export interface AnswerLimits {
  /** Answers in memory that their clients have not taken yet. */
  readonly unreadMib: number
  /** A client that takes nothing of an answer for this long loses the connection. */
  readonly stallSeconds: number
}

/** Shorter ones are gone before they could be counted. */
const LEAST_BYTES = 16 * 1024
const MIB = 1024 * 1024

/** Answers on their way: the bytes of them that are in memory because clients do not take them. */
export class Answers {
  readonly #shares: Shares
  readonly #stallMs: number
  readonly #onTaken: () => void

  /** @param onTaken called when an answer has gone, so that `mayHaveMore` may answer otherwise */
  constructor({ unreadMib, stallSeconds }: AnswerLimits, onTaken: () => void) {
    this.#shares = new Shares(unreadMib * MIB)
    this.#stallMs = Math.ceil(stallSeconds * 1000)
    this.#onTaken = onTaken
  }

  get held(): number {
    return this.#shares.held
  }

  /** Whether another answer may be made for `holder`: always, when all others have been taken. */
  mayHaveMore(holder: Holder): boolean {
    return this.#shares.holdsNothing(holder) || this.#shares.hasRoom(holder, 0)
  }

  /** Counts an answer until its client has taken it. To be called before it is sent. */
  hold(holder: Holder, response: ServerResponse, bytes: number): void {
    if (bytes < LEAST_BYTES || response.destroyed || response.req.socket.destroyed) return
    const { socket } = response.req
    this.#shares.take(holder, bytes)
    let isOver = false
    const end = (): void => {
      // The end of a connection ends its answer while it calls its listeners.
      if (isOver) return
      isOver = true
      response.off('close', end)
      socket.off('close', end)
      this.#shares.giveBack(holder, bytes)
      this.#onTaken()
    }
    response.on('close', end)
    // An answer behind another one on its connection is not told that this has gone.
    socket.on('close', end)
    // Node counts what leaves as activity, and sets a time-out of its own when the answer has gone.
    socket.setTimeout(this.#stallMs)
  }
}

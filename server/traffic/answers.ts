import type { ServerResponse } from 'node:http'
import type { Party } from '../../event-loop/loop-turns.ts'
import { Shares } from './shares.ts'

export interface AnswerLimits {
  /** Limit for answers in memory that clients have not read yet. */
  readonly unreadMib: number
  /** Seconds after which a client that reads nothing of an answer loses its connection. */
  readonly stallSeconds: number
}

/** Shorter answers are sent before they could be counted. */
const MIN_BYTES = 16 * 1024
const MIB = 1024 * 1024

/** Answers that are being sent: counts the bytes that are in memory because clients have not read them. */
export class Answers {
  readonly #shares: Shares
  readonly #stallMs: number
  readonly #onTaken: () => void

  /** @param onTaken called when an answer has gone, because `mayHaveMore` may have changed */
  constructor({ unreadMib, stallSeconds }: AnswerLimits, onTaken: () => void) {
    this.#shares = new Shares(unreadMib * MIB)
    this.#stallMs = Math.ceil(stallSeconds * 1000)
    this.#onTaken = onTaken
  }

  get held(): number {
    return this.#shares.held
  }

  /** Whether another answer may be made for `party`. Always true if the party has read all answers. */
  mayHaveMore(party: Party): boolean {
    return this.#shares.holdsNothing(party) || this.#shares.hasRoom(party, 0)
  }

  /** Counts an answer until its client has read it. Call it before the answer is sent. */
  hold(party: Party, response: ServerResponse, bytes: number): void {
    if (bytes < MIN_BYTES || response.destroyed || response.req.socket.destroyed) return
    const { socket } = response.req
    this.#shares.take(party, bytes)
    let isOver = false
    const end = (): void => {
      // When a connection closes, its answer ends while the listeners are being called.
      if (isOver) return
      isOver = true
      response.off('close', end)
      socket.off('close', end)
      this.#shares.giveBack(party, bytes)
      this.#onTaken()
    }
    response.on('close', end)
    // An answer queued behind another one on its connection gets no event of its own.
    socket.on('close', end)
    // Node counts outgoing bytes as activity.
    socket.setTimeout(this.#stallMs)
  }
}

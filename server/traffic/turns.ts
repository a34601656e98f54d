import type { Socket } from 'node:net'
import { RateLimitHitError } from '../../domain/errors.ts'
import type { Party } from '../../event-loop/loop-turns.ts'

export interface TurnLimits {
  /** Requests worked on at the same time. */
  readonly all: number
  readonly perAccount: number
}

/**
 * Maximum number of waiting requests of one account or address: more than it has event queues, whose polls may all
 * arrive at once.
 */
const MAX_WAITING = 1200
const RETRY_SECONDS = 1

interface Waiting {
  readonly begin: () => void
  readonly leave: () => void
  readonly socket: Socket
}

/** Requests of one account or address. */
interface Line {
  readonly party: Party
  running: number
  /**
   * Number of requests that may run: one at first, one more after each small answer, and one again after a large one.
   */
  most: number
  readonly waiting: Set<Waiting>
}

/**
 * Decides which requests are worked on: a few of each account, while the rest waits. Waiting requests begin in turn,
 * one of each account, so that nobody waits for more than one request of each other account. The number of running
 * requests of an account grows with each small answer and falls to one after a large one, because large ones block the
 * event loop again and again, and all others wait for a piece of each.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #mayBegin: (party: Party) => boolean
  readonly #lines = new Map<Party, Line>()
  /** Lines with waiting requests, in the order of their turns. */
  readonly #queue = new Set<Line>()
  #running = 0
  #waiting = 0

  /** @param mayBegin whether a party may begin another request; call `proceed` when its result changes */
  constructor(limits: TurnLimits, mayBegin: (party: Party) => boolean) {
    this.#limits = limits
    this.#mayBegin = mayBegin
  }

  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  /**
   * Begins a request, at once or when its turn comes; call `end` for it.
   *
   * @returns false if its client has disconnected meanwhile, and nothing has begun
   * @throws {RateLimitHitError} if too many requests of this party wait
   */
  begin(party: Party, socket: Socket): true | Promise<boolean> {
    const line = this.#line(party)
    if (line.waiting.size === 0 && this.#isFree(line)) {
      this.#start(line)
      return true
    }
    if (line.waiting.size >= MAX_WAITING) throw new RateLimitHitError(RETRY_SECONDS)
    return new Promise((resolve) => this.#wait(line, socket, resolve))
  }

  /** @param isHeavy whether its answer was large, such as thousands of messages; undefined if that is unknown */
  end(party: Party, isHeavy?: boolean): void {
    const line = this.#line(party)
    if (isHeavy !== undefined) line.most = isHeavy ? 1 : Math.min(line.most + 1, this.#limits.perAccount)
    line.running -= 1
    this.#running -= 1
    this.#forgetIdle(line)
    this.proceed()
  }

  /** Takes a turn again at once, after `end` in the middle of a request that waited for its client. */
  resume(party: Party): void {
    this.#start(this.#line(party))
  }

  /** Begins all requests that can begin. */
  proceed(): void {
    if (this.#waiting === 0) return
    for (let hasStarted = true; hasStarted; ) {
      hasStarted = false
      for (const line of [...this.#queue]) {
        if (this.#running >= this.#limits.all) return
        hasStarted = this.#startNext(line) || hasStarted
      }
    }
  }

  #startNext(line: Line): boolean {
    const [next] = line.waiting
    if (next === undefined || !this.#isFree(line)) return false
    this.#leave(line, next)
    if (line.waiting.size > 0) {
      this.#queue.delete(line)
      this.#queue.add(line)
    }
    this.#start(line)
    next.begin()
    return true
  }

  #wait(line: Line, socket: Socket, resolve: (hasBegun: boolean) => void): void {
    if (socket.destroyed) {
      this.#forgetIdle(line)
      resolve(false)
      return
    }
    const waiting: Waiting = {
      socket,
      begin: () => resolve(true),
      leave: () => {
        this.#leave(line, waiting)
        this.#forgetIdle(line)
        resolve(false)
      },
    }
    socket.once('close', waiting.leave)
    line.waiting.add(waiting)
    this.#waiting += 1
    this.#queue.add(line)
  }

  #leave(line: Line, waiting: Waiting): void {
    waiting.socket.off('close', waiting.leave)
    line.waiting.delete(waiting)
    this.#waiting -= 1
    if (line.waiting.size === 0) this.#queue.delete(line)
  }

  #isFree({ party, running, most }: Line): boolean {
    return this.#running < this.#limits.all && running < most && this.#mayBegin(party)
  }

  #start(line: Line): void {
    line.running += 1
    this.#running += 1
  }

  #line(party: Party): Line {
    let line = this.#lines.get(party)
    if (line === undefined) {
      line = { party, running: 0, most: 1, waiting: new Set() }
      this.#lines.set(party, line)
    }
    return line
  }

  #forgetIdle({ party, running, waiting }: Line): void {
    if (running === 0 && waiting.size === 0) this.#lines.delete(party)
  }
}

import type { Socket } from 'node:net'
import { RateLimitHitError } from '../domain/errors.ts'
import type { Holder } from './shares.ts'

export interface TurnLimits {
  /** Requests worked on at the same time. */
  readonly all: number
  readonly perAccount: number
}

/** Requests of one account or address that wait: more than it has event queues, whose polls may all come at once. */
const MAX_WAITING = 1200
const RETRY_SECONDS = 1

interface Waiting {
  readonly begin: () => void
  readonly leave: () => void
  readonly socket: Socket
}

/** Requests of one account or address. */
interface Line {
  readonly holder: Holder
  running: number
  /** How many may run: one at first, one more after each small answer, and one again after a large one. */
  most: number
  readonly waiting: Set<Waiting>
}

/**
 * Which requests are worked on: some of each account, the rest wait. Those that wait begin in turn, one of each account,
 * so that nobody waits for more than one request of each other. How many requests of one account run grows with
 * each small answer and is one again after a large one: large ones hold the event loop again and again, and every other
 * request waits for a piece of each that runs.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #mayBegin: (holder: Holder) => boolean
  readonly #lines = new Map<Holder, Line>()
  /** Lines in which somebody waits; whose turn it is next comes first. */
  readonly #queue = new Set<Line>()
  #running = 0
  #waiting = 0

  /** @param mayBegin asked about accounts and addresses that would begin another request; `proceed` when it changed its mind */
  constructor(limits: TurnLimits, mayBegin: (holder: Holder) => boolean) {
    this.#limits = limits
    this.#mayBegin = mayBegin
  }

  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  /**
   * Begins a request, to be ended by `end`: at once, or when its turn comes.
   * @returns false when its client has left meanwhile, and nothing has begun
   * @throws {RateLimitHitError} when too many requests of this holder wait
   */
  begin(holder: Holder, socket: Socket): true | Promise<boolean> {
    const line = this.#line(holder)
    if (line.waiting.size === 0 && this.#isFree(line)) {
      this.#start(line)
      return true
    }
    if (line.waiting.size >= MAX_WAITING) throw new RateLimitHitError(RETRY_SECONDS)
    return new Promise((resolve) => this.#wait(line, socket, resolve))
  }

  /** @param isHeavy whether its answer was large, such as thousands of messages; undefined when that says nothing */
  end(holder: Holder, isHeavy?: boolean): void {
    const line = this.#line(holder)
    if (isHeavy !== undefined) line.most = isHeavy ? 1 : Math.min(line.most + 1, this.#limits.perAccount)
    line.running -= 1
    this.#running -= 1
    this.#forgetIdle(line)
    this.proceed()
  }

  /** Takes a turn again, at once, after `end` in the middle of a request that waited for its client. */
  resume(holder: Holder): void {
    this.#start(this.#line(holder))
  }

  /** Begins whatever can begin. */
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

  #isFree({ holder, running, most }: Line): boolean {
    return this.#running < this.#limits.all && running < most && this.#mayBegin(holder)
  }

  #start(line: Line): void {
    line.running += 1
    this.#running += 1
  }

  #line(holder: Holder): Line {
    let line = this.#lines.get(holder)
    if (line === undefined) {
      line = { holder, running: 0, most: 1, waiting: new Set() }
      this.#lines.set(holder, line)
    }
    return line
  }

  #forgetIdle({ holder, running, waiting }: Line): void {
    if (running === 0 && waiting.size === 0) this.#lines.delete(holder)
  }
}

import { FairQueue } from './fair-queue.ts'

/** Somebody who is served: an account by its ID, an anonymous caller by address. Undefined is the server itself. */
export type Party = number | string

/** More work may begin in a turn of the event loop as long as the turn is younger than this, in milliseconds. */
const YOUNG_MS = 5
/** Maximum number of turns in a row in which waiting work gives way to new arrivals. */
const MAX_DELAYED = 100

/**
 * Decides which party runs in which turn of the event loop (SEC-LOOP-2). Neither SQLite's answers nor computing yields
 * the loop at an `await`: ten requests of one account that arrive together, or continue after a pause, would be one
 * long piece of work for everybody else. So an account that has worked in a turn continues in a later one, and waiting
 * work continues in turn, one piece of each party. A party that has not worked in this turn begins at once, and short
 * work of one party shares a turn while the turn is young.
 */
export class LoopTurns {
  readonly #now: () => number
  readonly #waiting = new FairQueue<() => void, Party | undefined>()
  /** Parties that have worked in this turn. */
  readonly #served = new Set<Party | undefined>()
  /** When this turn began; undefined if nobody has worked since the last one ended. */
  #since: number | undefined
  /** Whether a connection arrived in this turn, because others may be waiting behind it. */
  #hasArrived = false
  #delayed = 0

  /** @param now milliseconds since any moment */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Resolves when `party` may begin something; undefined means at once. */
  begin(party: Party | undefined): Promise<void> | undefined {
    this.#open()
    if (this.#waiting.has(party) || (this.#served.has(party) && !this.#isYoung)) return this.next(party)
    this.#served.add(party)
    return undefined
  }

  /** Resolves when `party` may continue after a pause: in a later turn of the event loop, unless this one is young. */
  async next(party: Party | undefined): Promise<void> {
    this.#open()
    await new Promise<void>((resolve) => this.#waiting.add(party, resolve))
    this.#served.add(party)
  }

  /**
   * Call it when a connection was accepted. The system delivers one connection per turn of the loop; with a long piece
   * of work in each turn, a client behind a hundred others would wait for a hundred pieces. So no work continues before
   * a turn without arrivals.
   */
  arrived(): void {
    this.#hasArrived = true
  }

  get #isYoung(): boolean {
    return this.#since !== undefined && this.#now() - this.#since < YOUNG_MS
  }

  #open(): void {
    if (this.#since !== undefined) return
    this.#since = this.#now()
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#since = undefined
    this.#served.clear()
    if (this.#waiting.size === 0) return
    this.#open()
    const gaveWay = this.#hasArrived && this.#delayed < MAX_DELAYED
    this.#hasArrived = false
    this.#delayed = gaveWay ? this.#delayed + 1 : 0
    if (!gaveWay) this.#letNext()
  }

  #letNext(): void {
    const go = this.#waiting.take()
    if (go === undefined) return
    go()
    // A tick that a microtask requests comes after everything that `go` starts has run up to its first wait.
    queueMicrotask(() => process.nextTick(this.#letMore))
  }

  readonly #letMore = (): void => {
    if (this.#isYoung) this.#letNext()
  }
}

/** The process has one event loop. */
export const loopTurns = new LoopTurns()

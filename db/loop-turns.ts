/** Whose work it is: an account by its id, somebody without one by the address; undefined for what the server does itself. */
export type Worker = number | string | undefined

/** While a turn of the event loop is younger than this many milliseconds, more may begin in it. */
const YOUNG_MS = 5
/** For this many turns in a row those that wait give way to whoever comes. */
const MOST_DELAYED = 100

/**
 * Who works in which turn of the event loop (SEC-LOOP-2). Neither SQLite's answers nor computing gives the loop back at
 * an `await`: ten requests of one account that arrive together, or ten that go on after a pause, would be one long
 * piece of work for everybody else. So whoever has worked in a turn goes on in a later one, and those that wait go on
 * in turn, one of each worker. Whoever has not worked in this turn begins at once, and short work of one worker shares
 * a turn while that is young.
 */
export class LoopTurns {
  readonly #now: () => number
  /** By worker, in the order in which they came; whose turn is next comes first. */
  readonly #waiting = new Map<Worker, (() => void)[]>()
  /** Who has worked in this turn. */
  readonly #served = new Set<Worker>()
  /** When this turn began; undefined when nobody has worked since the last one ended. */
  #since: number | undefined
  /** Somebody came in this turn, and perhaps others stand behind. */
  #hasArrived = false
  #delayed = 0

  /** @param now milliseconds since any moment */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Resolves when `worker` may begin something; undefined when that is at once. */
  begin(worker: Worker): Promise<void> | undefined {
    this.#open()
    if (this.#waiting.has(worker) || (this.#served.has(worker) && !this.#isYoung)) return this.next(worker)
    this.#served.add(worker)
    return undefined
  }

  /**
   * Resolves when `worker` may go on with something after a pause: in a later turn of the event loop, unless this one
   * is young.
   */
  next(worker: Worker): Promise<void> {
    this.#open()
    return new Promise((resolve) => {
      const line = this.#waiting.get(worker)
      if (line) line.push(resolve)
      else this.#waiting.set(worker, [resolve])
    })
  }

  /**
   * A connection was accepted. The system hands over one per turn of the loop: with a long piece of work in each,
   * whoever comes behind a hundred others would wait for a hundred of them. So none goes on before a turn in which
   * nobody came.
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
    const gaveWay = this.#hasArrived && this.#delayed < MOST_DELAYED
    this.#hasArrived = false
    this.#delayed = gaveWay ? this.#delayed + 1 : 0
    if (!gaveWay) this.#letNext()
  }

  #letNext(): void {
    const [first] = this.#waiting
    if (first === undefined) return
    const [worker, line] = first
    const go = line.shift()
    this.#waiting.delete(worker)
    if (line.length > 0) this.#waiting.set(worker, line)
    this.#served.add(worker)
    go?.()
    // A tick that a microtask asks for comes when everything that follows from `go` is done, up to where it waits.
    queueMicrotask(() => process.nextTick(this.#letMore))
  }

  readonly #letMore = (): void => {
    if (this.#isYoung) this.#letNext()
  }
}

/** The process has one event loop. */
export const loopTurns = new LoopTurns()

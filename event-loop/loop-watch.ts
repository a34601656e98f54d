import { AsyncLocalStorage, createHook, executionAsyncResource } from 'node:async_hooks'
import { type NamedWork, namedWorks } from './named-work.ts'

/** A turn of the event loop that took too long. */
export interface LoopBlock {
  /** The work that took most of the time. */
  readonly name: string
  /** Its duration without a pause. */
  readonly ms: number
  /** Duration of the whole turn of the event loop, other work included. */
  readonly turnMs: number
  /** Processor time of the turn: less than `turnMs` if the process waited for the disk or for the processor. */
  readonly processorMs: number
}

/** Work without a name: HTTP parsing, timers. */
const UNNAMED: NamedWork = { name: 'other' }
/** Marks the callbacks that run before the event loop continues, beside those of promises. */
const IS_WITHIN_TURN = Symbol('within turn')

interface Turn {
  readonly shares: Map<NamedWork, number>
  readonly processorBefore: number
  ms: number
  processorMs: number
}

/**
 * Reports every turn of the event loop that takes longer than `limitMs`. A turn is one callback with everything that
 * follows before the next one. An `await` does not end it if the answer is available at once, as with SQLite.
 *
 * Every callback and promise of the process is tracked, which costs a tenth of its speed or more. A turn is reported
 * when the next one begins.
 */
export class LoopWatch {
  readonly #limitMs: number
  readonly #onBlock: (block: LoopBlock) => void
  readonly #work = new AsyncLocalStorage<NamedWork>()
  readonly #nested: NamedWork[] = []
  readonly #now: () => number
  #turn = newTurn()
  #since = 0

  readonly #hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject' || type === 'Microtask') Object.assign(resource, { [IS_WITHIN_TURN]: true })
    },
    before: () => {
      if (this.#nested.length === 0 && !isWithinTurn(executionAsyncResource())) this.#endTurn()
      this.#settle()
      this.#nested.push(this.#work.getStore() ?? UNNAMED)
    },
    after: () => {
      this.#settle()
      this.#nested.pop()
      if (this.#nested.length > 0 || this.#turn.ms <= this.#limitMs) return
      this.#turn.processorMs = processorMs() - this.#turn.processorBefore
    },
  })
  readonly #onWork = (): void => {
    if (this.#nested.length === 0) return
    this.#settle()
    this.#nested[this.#nested.length - 1] = this.#work.getStore() ?? UNNAMED
  }

  /** @param now milliseconds since any moment */
  constructor(limitMs: number, onBlock: (block: LoopBlock) => void, now = () => performance.now()) {
    this.#limitMs = limitMs
    this.#onBlock = onBlock
    this.#now = now
  }

  start(): void {
    namedWorks.bindStore(this.#work as AsyncLocalStorage<unknown>)
    namedWorks.subscribe(this.#onWork)
    this.#hook.enable()
  }

  stop(): void {
    this.#hook.disable()
    namedWorks.unsubscribe(this.#onWork)
    namedWorks.unbindStore(this.#work as AsyncLocalStorage<unknown>)
  }

  /** Attributes the time since the last change to the present work. */
  #settle(): void {
    const now = this.#now()
    const work = this.#nested.at(-1)
    if (work) {
      const { shares } = this.#turn
      shares.set(work, (shares.get(work) ?? 0) + now - this.#since)
      this.#turn.ms += now - this.#since
    }
    this.#since = now
  }

  #endTurn(): void {
    const { shares, ms: turnMs, processorMs: ofProcessor } = this.#turn
    this.#turn = newTurn()
    if (turnMs <= this.#limitMs) return
    let [longest, ms] = [UNNAMED, 0]
    for (const [work, share] of shares) if (share > ms) [longest, ms] = [work, share]
    this.#onBlock({ name: longest.name, ms, turnMs, processorMs: ofProcessor })
  }
}

function newTurn(): Turn {
  return { shares: new Map(), processorBefore: processorMs(), ms: 0, processorMs: 0 }
}

/** Processor time of this thread so far. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function isWithinTurn(resource: object): boolean {
  return resource instanceof Promise || IS_WITHIN_TURN in resource
}

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Clock } from '../domain/clock.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import { LeaseLostError, type Turn, withLease } from './lease.ts'

interface Timed {
  readonly name: string
  readonly everyMs: number
  /** Whether it also runs when the server starts. */
  readonly isDueAtStart?: boolean
}

/** Runs a job between the turns of its timer, as soon as there is work. */
export interface WakesUp {
  /**
   * Returns the UNIX seconds from which there is something to do; undefined if nothing waits. Called after each turn.
   */
  next(): Promise<number | undefined>
  /** Types of events that may change that time. */
  readonly after: LogEvent['type'] | readonly LogEvent['type'][]
}

/** Checks the database and does the work that is due, in one process at a time. Takes no input, and is idempotent. */
export interface Job extends Timed {
  /** Whether there may be something to do; otherwise not even the lease is written. By default `wakesUp` says it. */
  isDue?(): Promise<boolean>
  readonly wakesUp?: WakesUp
  run(turn: Turn): Promise<void>
}

/** Maintains data in the memory of this process. Every process runs it, without a lease. */
export interface OwnJob extends Timed {
  runHere(): Promise<void>
}

/**
 * Pause between two turns if work is left over. After a failure the job waits for its timer, because it would probably
 * fail again.
 */
const SHORTEST_PAUSE_MS = 1000

/** Timers may fire slightly early. */
const TIMER_SLACK_MS = 5

/** Runs jobs on their timers, and never runs a job twice at once. A failed job is tried again at its next turn. */
export class JobRunner {
  readonly #db: Pick<Database, 'transaction' | 'onCommitted'>
  readonly #clock: Clock
  readonly #log: Logger
  /** Owner ID of this process in leases. */
  readonly #holder = randomUUID()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  /** Runs each job if it is due by the clock. */
  readonly #due: (() => Promise<void>)[] = []

  constructor(
    jobs: readonly (Job | OwnJob)[],
    db: Pick<Database, 'transaction' | 'onCommitted'>,
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    for (const job of jobs) {
      let running: Promise<void> | undefined
      let begunMs = this.#clock.monotonic()
      const turn = (): void => {
        if (running || this.#stopping.signal.aborted) return
        begunMs = this.#clock.monotonic()
        let pauseMs = SHORTEST_PAUSE_MS
        const run = this.#run(job)
          .catch((err: unknown) => {
            pauseMs = job.everyMs
            this.#report(job.name, err)
          })
          .finally(() => {
            running = undefined
            this.#running.delete(run)
            wakeUp?.(pauseMs)
          })
        running = run
        this.#running.add(run)
      }
      const wakeUp = 'wakesUp' in job && job.wakesUp ? this.#alarm(job, job.wakesUp, turn) : undefined
      if (job.isDueAtStart) turn()
      else wakeUp?.(0)
      this.#timers.add(setInterval(turn, job.everyMs).unref())
      this.#due.push(async () => {
        await running
        const isDue = this.#clock.monotonic() - begunMs >= job.everyMs
        if (!isDue && !('wakesUp' in job && (await this.#isAwake(job.wakesUp)))) {
          // The alarm was set before the clock moved.
          wakeUp?.(0)
          return
        }
        turn()
        await running
      })
    }
  }

  /**
   * Runs jobs that are due by the clock, one after the other, after a test has moved the clock, of which timers know
   * nothing.
   */
  async runDue(): Promise<void> {
    for (const run of this.#due) await run()
  }

  /** Starts no more turns, and waits for the running ones, which end early. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }

  async #isAwake(wakesUp: WakesUp | undefined): Promise<boolean> {
    const at = await wakesUp?.next()
    return at !== undefined && at * 1000 <= this.#clock.now()
  }

  /** @returns a function that sets the alarm for the next time, but not before a pause */
  #alarm(job: Timed, { next, after }: WakesUp, turn: () => void): (pauseMs: number) => void {
    let alarm: NodeJS.Timeout | undefined
    let asked = 0
    const set = async (pauseMs: number): Promise<void> => {
      asked += 1
      const question = asked
      const at = await next()
      if (question !== asked || this.#stopping.signal.aborted) return
      clearTimeout(alarm)
      if (alarm) this.#timers.delete(alarm)
      alarm = undefined
      if (at === undefined) return
      const waitMs = Math.max(pauseMs, at * 1000 - this.#clock.now() + TIMER_SLACK_MS)
      // The timer fires before that, and then `next` is called again.
      if (waitMs > job.everyMs) return
      alarm = setTimeout(turn, waitMs).unref()
      this.#timers.add(alarm)
    }
    const setOrReport = (pauseMs: number): void => {
      if (this.#stopping.signal.aborted) return
      const asking = set(pauseMs)
        .catch((err: unknown) => this.#report(job.name, err))
        .finally(() => this.#running.delete(asking))
      this.#running.add(asking)
    }
    const types = [after].flat()
    this.#db.onCommitted((events) => {
      if (events.some(({ event }) => types.includes(event.type))) setOrReport(0)
    })
    return setOrReport
  }

  async #run(job: Job | OwnJob): Promise<void> {
    if ('runHere' in job) return job.runHere()
    if (job.isDue ? !(await job.isDue()) : job.wakesUp && !(await this.#isAwake(job.wakesUp))) return
    const process = { db: this.#db, holder: this.#holder, stopping: this.#stopping.signal }
    await withLease(process, job.name, (turn) => job.run(turn))
  }

  #report(job: string, err: unknown): void {
    // Ended by `stop`.
    if (err === this.#stopping.signal.reason) return
    if (err instanceof LeaseLostError) this.#log.warn({ job }, 'job ended: another process has taken it over')
    else this.#log.error({ err, job }, 'job failed; it runs again at its next turn')
  }
}

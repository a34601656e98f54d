import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { doNamed } from '../db/named-work.ts'
import type { Clock } from '../domain/clock.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import { LeaseLostError, type Turn, withLease } from './lease.ts'

interface Timed {
  readonly name: string
  readonly everyMs: number
  /** Whether it runs when the server starts, too. */
  readonly isDueAtStart?: boolean
}

/** When a job runs besides its timer, which is for what no process was told of. */
export interface WakesUp {
  /** UNIX seconds from which there is something to do; undefined where nothing waits. Asked after each turn. */
  next(): Promise<number | undefined>
  /** The types of events after which it may be another time. */
  readonly after: LogEvent['type'] | readonly LogEvent['type'][]
}

/** Looks at the database and does what is due, in one process at a time: no input, idempotent. */
export interface Job extends Timed {
  /** Whether there may be anything to do: otherwise not even the lease is written. */
  isDue?(): Promise<boolean>
  readonly wakesUp?: WakesUp
  run(turn: Turn): Promise<void>
}

/** Looks after what this process has in memory, as every process does, so there is no lease. */
export interface OwnJob extends Timed {
  runHere(): Promise<void>
}

/** Between two turns, whatever is left over. After one that failed it is as long as the timer's: what fails, fails again. */
const SHORTEST_PAUSE_MS = 1000

/** Behind the time, because timers may be a moment early. */
const LATE_MS = 5

/** Runs jobs on their timers, never one of them twice at once; a job that fails is tried again at its next turn. */
export class JobRunner {
  readonly #db: Pick<Database, 'transaction' | 'onCommitted'>
  readonly #clock: Clock
  readonly #log: Logger
  /** Of this process, in the leases. */
  readonly #holder = randomUUID()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  /** For each job, what runs it where it is due on the clock. */
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
        const run = doNamed({ name: job.name }, () => this.#run(job))
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
          // The alarm was set for a time that has come nearer.
          wakeUp?.(0)
          return
        }
        turn()
        await running
      })
    }
  }

  /** Runs what is due by the clock, one job after the other, for whoever has moved it: timers know nothing of that. */
  async runDue(): Promise<void> {
    for (const run of this.#due) await run()
  }

  /** Begins no more turns; waits for those under way, which end early. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }

  async #isAwake(wakesUp: WakesUp | undefined): Promise<boolean> {
    const at = await wakesUp?.next()
    return at !== undefined && at * 1000 <= this.#clock.now()
  }

  /** @returns what sets the alarm anew: for the next time, and no earlier than after a pause */
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
      const waitMs = Math.max(pauseMs, at * 1000 - this.#clock.now() + LATE_MS)
      // Until then the timer comes round, and the time is asked for again.
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
    if (job.isDue && !(await job.isDue())) return
    const process = { db: this.#db, holder: this.#holder, stopping: this.#stopping.signal }
    await withLease(process, job.name, (turn) => job.run(turn))
  }

  #report(job: string, err: unknown): void {
    if (err instanceof LeaseLostError) this.#log.warn({ job }, 'job ended: another process has taken it over')
    else this.#log.error({ err, job }, 'job failed; it runs again at its next turn')
  }
}

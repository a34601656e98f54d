import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { doNamed } from '../db/named-work.ts'
import { LeaseLostError, type Turn, withLease } from './lease.ts'

interface Timed {
  readonly name: string
  readonly everyMs: number
  /** Whether it runs when the server starts, too. */
  readonly isDueAtStart?: boolean
}

/** Looks at the database and does what is due, in one process at a time: no input, idempotent. */
export interface Job extends Timed {
  /** Whether there may be anything to do: otherwise not even the lease is written. */
  isDue?(): Promise<boolean>
  run(turn: Turn): Promise<void>
}

/** Looks after what this process has in memory, as every process does, so there is no lease. */
export interface OwnJob extends Timed {
  runHere(): Promise<void>
}

/** Runs jobs on their timers, never one of them twice at once; a job that fails is tried again at its next turn. */
export class JobRunner {
  readonly #db: Pick<Database, 'transaction'>
  readonly #log: Logger
  /** Of this process, in the leases. */
  readonly #holder = randomUUID()
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(jobs: readonly (Job | OwnJob)[], db: Pick<Database, 'transaction'>, log: Logger) {
    this.#db = db
    this.#log = log
    for (const job of jobs) {
      let isRunning = false
      const turn = (): void => {
        if (isRunning) return
        isRunning = true
        const run = doNamed({ name: job.name }, () => this.#run(job))
          .catch((err: unknown) => this.#report(job.name, err))
          .finally(() => {
            isRunning = false
            this.#running.delete(run)
          })
        this.#running.add(run)
      }
      if (job.isDueAtStart) turn()
      this.#timers.push(setInterval(turn, job.everyMs).unref())
    }
  }

  /** Begins no more turns; waits for those under way, which end early. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
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

import type { Logger } from 'pino'

/** Looks at the database and does what is due: no input, idempotent (architecture decision 10). */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Whether it runs when the server starts, too. */
  readonly isDueAtStart?: boolean
  run(): Promise<void>
}

/** Runs jobs on their timers, never one of them twice at once; a job that fails is tried again at its next turn. */
export class JobRunner {
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(jobs: readonly Job[], log: Logger) {
    for (const job of jobs) {
      let isRunning = false
      const turn = (): void => {
        if (isRunning) return
        isRunning = true
        const run = job
          .run()
          .catch((err: unknown) => log.error({ err, job: job.name }, 'job failed; it runs again at its next turn'))
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

  /** No new turns; waits for those under way. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }
}

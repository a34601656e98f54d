import type { Logger } from 'pino'
import { doNamed } from '../db/named-work.ts'

/** Looks at the database and does what is due: no input, idempotent. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Whether it runs when the server starts, too. */
  readonly isDueAtStart?: boolean
  /** @param signal ends it after what is under way; the rest is done at a later turn, by the next process perhaps */
  run(signal?: AbortSignal): Promise<void>
}

/** Runs jobs on their timers, never one of them twice at once; a job that fails is tried again at its next turn. */
export class JobRunner {
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(jobs: readonly Job[], log: Logger) {
    for (const job of jobs) {
      let isRunning = false
      const turn = (): void => {
        if (isRunning) return
        isRunning = true
        const run = doNamed({ name: job.name }, () => job.run(this.#stopping.signal))
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

  /** Begins no more turns; waits for those under way, which end early. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }
}

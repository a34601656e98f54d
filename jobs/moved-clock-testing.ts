import type { TestContext } from 'node:test'
import { DAY_SECONDS, systemClock } from '../domain/clock.ts'
import { type Dialect, startParley, type TestServer } from '../server/testing.ts'

/** A server until the test ends, whose clock goes on by `days` when `pass` is called, and which then runs its jobs. */
export async function startWithMovedClock(
  t: TestContext,
  dialect: Dialect,
): Promise<{ readonly server: TestServer; pass(days: number): void; runJobs(): Promise<void>; now(): number }> {
  let passedMs = 0
  const clock = { now: () => Date.now() + passedMs, monotonic: () => systemClock.monotonic() + passedMs }
  const server = await startParley(dialect, { clock })
  t.after(() => server.stop())
  return {
    server,
    pass: (days) => {
      passedMs += days * DAY_SECONDS * 1000
    },
    runJobs: () => server.parley.inside.jobs.runDue(),
    now: clock.now,
  }
}

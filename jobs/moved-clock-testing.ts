import type { TestContext } from 'node:test'
import { DAY_SECONDS } from '../domain/clock.ts'
import { MovableClock } from '../server/stand-in/movable-clock.ts'
import { type Dialect, ownParley, type TestServer } from '../server/testing.ts'

/** A server that runs until the test ends. `pass` moves its clock forward by `days` and then runs its jobs. */
export async function startWithMovedClock(
  t: TestContext,
  dialect: Dialect,
): Promise<{ readonly server: TestServer; pass(days: number): void; runJobs(): Promise<void>; now(): number }> {
  const clock = new MovableClock()
  const server = await ownParley(t, dialect, { clock })
  return {
    server,
    pass: (days) => {
      clock.aheadMs += days * DAY_SECONDS * 1000
    },
    runJobs: () => server.parley.inside.jobs.runDue(),
    now: () => clock.now(),
  }
}

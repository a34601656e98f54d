import type { TestContext } from 'node:test'
import { MOMENT_MS } from './moment.ts'

/** Prevents snapshots from timing out in tests on slow machines. */
export function letMomentsLast(t: TestContext): void {
  const { setTimeout: original } = globalThis
  t.mock.method(globalThis, 'setTimeout', (done: () => void, ms?: number) =>
    original(done, ms === MOMENT_MS ? 60_000 : ms),
  )
}

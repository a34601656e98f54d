import type { TestContext } from 'node:test'
import { SHORT_SNAPSHOT_MS } from './short-snapshot.ts'

/** Prevents snapshots from timing out in tests on slow machines. */
export function letShortSnapshotsLast(t: TestContext): void {
  const { setTimeout: original } = globalThis
  t.mock.method(globalThis, 'setTimeout', (done: () => void, ms?: number) =>
    original(done, ms === SHORT_SNAPSHOT_MS ? 60_000 : ms),
  )
}

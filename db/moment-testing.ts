import type { TestContext } from 'node:test'
import { MOMENT_MS } from './moment.ts'

/** Lets moments last as long as a test needs them on a slow machine. */
export function letMomentsLast(t: TestContext): void {
  const { setTimeout: original } = globalThis
  t.mock.method(globalThis, 'setTimeout', (done: () => void, ms?: number) =>
    original(done, ms === MOMENT_MS ? 60_000 : ms),
  )
}

import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

/** Returns how often others could run during `work`, if every step takes longer than others may be kept waiting. */
export async function turnsDuring(t: TestContext, work: () => Promise<unknown>): Promise<number> {
  let now = performance.now()
  const clock = t.mock.method(performance, 'now', () => {
    now += 20
    return now
  })
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns += 1) await setImmediate()
  })()
  await work()
  isOver = true
  await others
  clock.mock.restore()
  return turns
}

/** Blocks the event loop for longer than paced work goes on without a pause. */
export function holdLoop(): void {
  const start = performance.now()
  while (performance.now() - start < 15);
}

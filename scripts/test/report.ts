import { relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { run } from 'node:test'
import { spec } from 'node:test/reporters'
import type { TestProcess } from './groups.ts'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The last line of `npm test`. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Prints tests and failures as Node does, and then what Node does not notice: processes that ended before their tests
 * did, and files without a test.
 *
 * @param processes the processes behind `events`
 * @param root paths are shown relative to it
 * @param stallSeconds after this long without news, `onStall` is called once: a test left its process hanging
 */
export async function report(
  events: ReturnType<typeof run>,
  processes: readonly TestProcess[],
  root: string,
  stallSeconds: number,
  onStall: () => void,
): Promise<Counts> {
  const unfinished = new Map(processes.map(({ entry, name }) => [entry, name]))
  const withoutTest = new Set(processes.flatMap(({ files }) => files))
  const problems: string[] = []
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  const stalled = () => {
    const [oldest] = unfinished.values() // files are reported in this order, so the others may only be waiting for it
    problems.push(`✖ ${oldest}: its process did not end: something is left open`)
    onStall()
  }
  const watchdog = setTimeout(stalled, stallSeconds * 1000)
  const saw = ({ file = '', name }: { file?: string; name: string }) => {
    if (name !== file) withoutTest.delete(file) // Node reports each process as a test, too
  }
  events.on('data', () => watchdog.refresh())
  events.on('test:pass', saw)
  events.on('test:fail', saw)
  events.on('test:summary', ({ file, counts: { tests, passed, skipped, todo } }) => {
    if (file !== undefined) unfinished.delete(file)
    else counts = { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo }
  })
  try {
    await pipeline(events.compose(new spec()), process.stdout, { end: false })
  } finally {
    clearTimeout(watchdog)
  }
  for (const name of unfinished.values()) problems.push(`✖ ${name}: its process ended before its tests did`)
  for (const file of withoutTest) problems.push(`✖ ${relative(root, file)}: no test of it was run`)
  for (const problem of problems) console.log(problem)
  return { ...counts, failed: counts.failed + problems.length }
}

import { relative } from 'node:path'
import type { run } from 'node:test'
import { inspect } from 'node:util'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** What `npm test` ends with. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

interface FileState {
  counts: Counts
  output: string
  /** Standard output alone: laws say there how often each action succeeded, also when they hold. */
  said: string
  failures: string[]
  path: string[]
}

/**
 * Prints one line a test file, with what it said when it passed, then every failure in full with what its file had printed.
 * @param root paths are shown relative to it
 * @param stallSeconds without any news for so long, `onStall` is called once: a process that tests left hanging
 */
export async function report(
  events: ReturnType<typeof run>,
  root: string,
  stallSeconds: number,
  onStall: () => void,
): Promise<Counts> {
  const files = new Map<string, FileState>()
  const running = new Set<string>()
  const stateOf = (file: string): FileState => {
    const known = files.get(file)
    if (known !== undefined) return known
    const fresh = { counts: { passed: 0, failed: 0, skipped: 0 }, output: '', said: '', failures: [], path: [] }
    files.set(file, fresh)
    return fresh
  }
  const fail = (file: string, what: string, why: string) => {
    const state = stateOf(file)
    state.counts.failed++
    if (why !== '') state.failures.push(`✖ ${relative(root, file)}${what === '' ? '' : ` › ${what}`}\n${why}`)
  }
  const finish = (file: string, seconds: number) => {
    if (!running.delete(file)) return
    const { counts, said } = stateOf(file)
    const mark = counts.failed > 0 ? '✖' : '✔'
    console.log(`${mark} ${relative(root, file)}: ${summaryLine(counts)} (${seconds.toFixed(1)} s)`)
    if (counts.failed === 0 && said !== '') console.log(said.trimEnd().replaceAll(/^/gm, '    '))
  }
  const stalled = () => {
    const [oldest] = running // files are reported in this order, so the others may only be waiting for it
    if (oldest !== undefined) fail(oldest, '', 'its process did not end: something is left open')
    onStall()
  }
  let watchdog = setTimeout(stalled, stallSeconds * 1000)

  try {
    for await (const event of events) {
      clearTimeout(watchdog)
      watchdog = setTimeout(stalled, stallSeconds * 1000)
      const { file } = event.data as { file?: string }
      if (file === undefined) continue
      const state = stateOf(file)
      switch (event.type) {
        case 'test:enqueue':
        case 'test:dequeue':
          running.add(file)
          break
        case 'test:stdout':
          state.said += event.data.message
          state.output += event.data.message
          break
        case 'test:stderr':
          state.output += event.data.message
          break
        case 'test:start': // reported in order, so this is where the next outcome stands in the tree
          state.path[event.data.nesting] = event.data.name
          break
        case 'test:pass':
        case 'test:fail': {
          const { name, nesting, skip, todo, details } = event.data
          const isFile = nesting === 0 && name === file
          const isSuite = details.type === 'suite'
          const path = [...state.path.slice(0, nesting), name].join(' › ')
          const error = 'error' in details ? details.error : undefined
          const onlyInner = error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed'
          const isExcused = (skip ?? false) !== false || (todo ?? false) !== false
          if (isExcused) state.counts.skipped += isSuite ? 0 : 1
          else if (error !== undefined && !(isSuite && onlyInner))
            fail(file, isFile ? '' : path, onlyInner ? '' : inspect(error.cause ?? error, { depth: 8 }))
          else if (isFile && event.type === 'test:pass') fail(file, '', 'holds no test')
          else if (!isSuite) state.counts.passed++
          if (isFile) finish(file, details.duration_ms / 1000)
          break
        }
        case 'test:summary':
          finish(file, event.data.duration_ms / 1000)
          break
      }
    }
  } finally {
    clearTimeout(watchdog)
  }

  for (const { failures, output } of files.values()) {
    if (failures.length === 0) continue
    console.log(`\n${failures.join('\n\n')}`)
    if (output !== '') console.log(`\nprinted by that file:\n${output.trimEnd()}`)
  }
  const total: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { counts } of files.values()) {
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
  }
  return total
}

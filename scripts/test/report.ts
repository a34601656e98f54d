import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { run } from 'node:test'
import { inspect } from 'node:util'
import type { TestProcess } from './groups.ts'

/** The failures of the last run that had any; git ignores the file. */
const FAILURES = 'test-failures.log'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The last line of `npm test`. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

interface FileState {
  counts: Counts
  output: string
  /** Standard output only: laws print there how often each action succeeded, also when they hold. */
  said: string
  failures: string[]
  path: string[]
  /** Total duration of its tests in milliseconds. */
  ms: number
}

/**
 * Prints one line for each test file, with the output of its process if it passed, and then every failure in full with
 * the output of its process.
 *
 * @param processes the processes behind `events`
 * @param root paths are shown relative to it; a file there gets the failures too
 * @param command the command that repeats tests, such as `npm test`; their paths follow after `--`
 * @param stallSeconds after this long without news, `onStall` is called once: a test left its process hanging
 */
export async function report(
  events: ReturnType<typeof run>,
  processes: readonly TestProcess[],
  root: string,
  command: string,
  stallSeconds: number,
  onStall: () => void,
): Promise<Counts> {
  const files = new Map<string, FileState>()
  const running = new Set<string>()
  const stateOf = (file: string): FileState => {
    const known = files.get(file)
    if (known !== undefined) return known
    const fresh = { counts: { passed: 0, failed: 0, skipped: 0 }, output: '', said: '', failures: [], path: [], ms: 0 }
    files.set(file, fresh)
    return fresh
  }
  const processOf = new Map(processes.map((one) => [one.entry, one]))
  const nameOf = (file: string) => processOf.get(file)?.name ?? relative(root, file)
  const fail = (file: string, what: string, why: string) => {
    const state = stateOf(file)
    state.counts.failed++
    if (why !== '') state.failures.push(`✖ ${nameOf(file)}${what === '' ? '' : ` › ${what}`}\n${why}`)
  }
  const finish = (entry: string, didEnd: boolean, seconds: number) => {
    if (!running.delete(entry)) return
    const members = processOf.get(entry)?.files ?? []
    for (const file of members) {
      const { counts, ms } = stateOf(file)
      if (didEnd && counts.passed + counts.failed + counts.skipped === 0) fail(file, '', 'holds no test')
      const mark = didEnd && counts.failed === 0 ? '✔' : '✖'
      const took = members.length === 1 ? seconds : ms / 1000
      console.log(`${mark} ${nameOf(file)}: ${summaryLine(counts)} (${took.toFixed(1)} s)`)
    }
    const { said } = stateOf(entry)
    const didPass = didEnd && members.every((file) => stateOf(file).counts.failed === 0)
    if (didPass && said !== '') console.log(said.trimEnd().replaceAll(/^/gm, '    '))
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
          if (processOf.has(file)) running.add(file)
          break
        case 'test:stdout':
          state.said += event.data.message
          state.output += event.data.message
          break
        case 'test:stderr':
          state.output += event.data.message
          break
        case 'test:start': // reported in order, so this is where the next outcome belongs in the tree
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
          else if (!isSuite && !isFile) state.counts.passed++
          if (!isSuite && !isFile) state.ms += details.duration_ms
          if (isFile) finish(file, false, details.duration_ms / 1000)
          break
        }
        case 'test:summary':
          finish(file, true, event.data.duration_ms / 1000)
          break
      }
    }
    // These processes ended without reporting their end.
    for (const entry of running) {
      fail(entry, '', 'its process ended before its tests did')
      finish(entry, false, 0)
    }
  } finally {
    clearTimeout(watchdog)
  }

  const told: string[] = []
  for (const { entry, files: members } of processes) {
    const failures = [...new Set([entry, ...members])].flatMap((file) => stateOf(file).failures)
    if (failures.length === 0) continue
    const red = members.filter((file) => members.length === 1 || stateOf(file).failures.length > 0)
    told.push(...failures, `alone: ${command} -- ${(red.length > 0 ? red : members).map(nameOf).join(' ')}`)
    const { output } = stateOf(entry)
    if (output !== '') told.push(`printed by that process:\n${output.trimEnd()}`)
  }
  if (told.length > 0) {
    console.log(`\n${told.join('\n\n')}`)
    writeFileSync(join(root, FAILURES), `${told.join('\n\n')}\n`)
    console.log(`\nThis is in ${FAILURES}, too.`)
  }
  const total: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { counts } of files.values()) {
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
  }
  return total
}

/**
 * `npm test [-- files, parts of paths or globs …]`: what a change must not break, each rule once (`*.test.ts`).
 *
 * `npm run test:full`: the same on both databases, all seeded faults, and the slow tests (`*.full.ts`). It draws and
 * prints a seed; PARLEY_SEED repeats it.
 *
 * `npm run test:long`: what takes hours (`*.long.ts`). Tests get what they need: generated files, a private MariaDB
 * (PARLEY_TEST_MARIADB, a mysql:// URL) and, beyond `npm test`, a Python with the client library (PARLEY_TEST_PYTHON, a
 * path) and two older Nodes (PARLEY_TEST_NODE22 and PARLEY_TEST_NODE22_19, paths). Each thing that the machine lacks is
 * reported in a line, and its tests are skipped; with CI set that is a failure. The last line is `N passed, N failed`;
 * a failing start counts as one failure.
 */
import { randomInt } from 'node:crypto'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { ensureGenerated } from './generate.ts'
import { inProcesses } from './test/groups.ts'
import { quickFolder } from './test/machine.ts'
import { startMariaDb } from './test/mariadb.ts'
import { OLDEST_NODES, olderNode } from './test/older-nodes.ts'
import { pythonWithClients } from './test/python.ts'
import { type Counts, report, summaryLine } from './test/report.ts'

const root = join(import.meta.dirname, '..')
const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
const concurrency = 3 // on two cores; tests that wait for a database leave room for one more
/** Ends tests that hang; no test should come near it. */
const watchdogMs = 600_000
const longWatchdogMs = 3_600_000
/** Room for files that tests write at the same time. */
const bytesWanted = 2 ** 31

const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false }, long: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const isFull = values.full || values.long

/** Absolute paths of the test files that match any argument; all files without arguments. */
function testFiles(): string[] {
  const patterns = values.long ? ['**/*.long.ts'] : values.full ? ['**/*.{test,full}.ts'] : ['**/*.test.ts']
  const ignored = new Set(['node_modules', 'dist', 'data', '.git'])
  const all = globSync(patterns, { cwd: root, exclude: (path) => ignored.has(path) }).sort()
  const isWanted = (path: string) =>
    positionals.length === 0 ||
    positionals.some((part) => path.includes(part) || matchesGlob(path, part) || resolve(part) === join(root, path))
  return all.filter(isWanted).map((path) => join(root, path))
}

/** The value of a promise; undefined, with a clear line (an error in CI), if the machine cannot provide it. */
async function orSkip<T>(what: string, missing: string, provided: Promise<T | undefined>): Promise<T | undefined> {
  let reason = missing
  try {
    const value = await provided
    if (value !== undefined) return value
  } catch (err) {
    reason = err instanceof Error ? err.message : String(err)
  }
  if (isCi) throw new Error(`${what} tests cannot run, and with CI set they must: ${reason}`)
  console.log(`!!!!!! ${what} TESTS ARE SKIPPED: ${reason.trim().split('\n').join(' | ')} !!!!!!`)
  return undefined
}

async function runTests(interrupt: AbortController): Promise<Counts> {
  const files = testFiles()
  if (files.length === 0) {
    console.log(positionals.length === 0 ? 'no test files' : `no test files match ${positionals.join(' ')}`)
    return { passed: 0, failed: 0, skipped: 0 }
  }
  const { signal } = interrupt
  const folder = mkdtempSync(join(quickFolder(bytesWanted), 'parley-tests-'))
  await ensureGenerated()
  const startedMariaDb = startMariaDb(signal)
  const madePython = isFull ? pythonWithClients(signal) : undefined
  const fetchedNodes = Object.entries(isFull ? OLDEST_NODES : {}).map(async ([name, version]) => {
    const path = await orSkip(`NODE ${version}`, '', olderNode(version, signal))
    if (path !== undefined) process.env[name] = path
    else delete process.env[name]
  })
  try {
    const [mariaDb, python] = await Promise.all([
      orSkip('MARIADB', 'mariadbd and mariadb-install-db are not installed (Debian: mariadb-server)', startedMariaDb),
      madePython && orSkip('PYTHON CLIENT', 'python3 is not installed (Debian: python3-venv)', madePython),
      ...fetchedNodes,
    ])
    if (mariaDb !== undefined) process.env.PARLEY_TEST_MARIADB = mariaDb.url
    else delete process.env.PARLEY_TEST_MARIADB
    if (python !== undefined) process.env.PARLEY_TEST_PYTHON = python
    else delete process.env.PARLEY_TEST_PYTHON
    process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/parley/compile')
    process.env.PARLEY_TEST_FULL = isFull ? '1' : '0'
    process.env.PARLEY_SEED ??= String(isFull ? randomInt(2 ** 30) : 482)
    console.log(`PARLEY_SEED=${process.env.PARLEY_SEED}`)
    process.env.PARLEY_CHECK_ANSWERS ??= 'on' // tests check every answer and event against the contract
    // Databases and uploads of the tests; anything that a killed test leaves is removed with the folder. Long tests
    // would fill it.
    if (!values.long) process.env.TMPDIR = folder
    signal.throwIfAborted()
    const timeout = values.long ? longWatchdogMs : watchdogMs
    const processes = inProcesses(files, root, folder)
    const entries = processes.map(({ entry }) => entry)
    const events = run({ files: entries, concurrency, timeout, signal, cwd: root })
    return await report(events, processes, root, timeout / 1000 + 30, () => interrupt.abort())
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    interrupt.abort() // if one of them failed, the others may still be running
    const [mariaDb] = await Promise.allSettled([startedMariaDb, madePython, ...fetchedNodes])
    if (mariaDb.status === 'fulfilled') await mariaDb.value?.stop()
  }
}

const startedAt = performance.now()
const interrupt = new AbortController()
let interruptedBy: NodeJS.Signals | undefined
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    interruptedBy = name
    interrupt.abort()
  })
}
let counts: Counts

try {
  counts = await runTests(interrupt)
} catch (err) {
  console.error(err instanceof Error ? (err.stack ?? err.message) : err)
  counts = { passed: 0, failed: 1, skipped: 0 }
}
const didPass = counts.failed === 0 && counts.passed > 0 && interruptedBy === undefined
console.log(`\n${((performance.now() - startedAt) / 1000).toFixed(1)} s${interruptedBy ? `, ${interruptedBy}` : ''}`)
console.log(summaryLine(counts))
// Not process.exitCode: after an abort the runner's own handles may keep the process alive.
process.exit(didPass ? 0 : 1)

/**
 * `npm run bench [-- [--quick] [--write]]`: measures this checkout on this machine. Each figure stands next to its
 * floor (bare node:http with the same body), measured in the same run. `--quick` measures for 2 s once instead of four
 * times, `--write` puts the tables into docs/performance.md.
 *
 * Other measurements: `--loop` how long the worst call of each operation blocks the event loop (`--only NAME`: only
 * operations with this in their name), `--memory` what the server takes while 100,000 messages are sent, `--registers`
 * POST /register in organizations of different kinds, `--polls` the cost of waiting event queues, `--several` one to
 * three processes on one MariaDB. `--ratios`, which CI runs, measures only the requests, for a second each.
 *
 * Needs wrk. The load generator shares the processors with the server, so ratios say more than figures.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureLoop } from './bench/loop/loop.ts'
import { measureMemory } from './bench/memory.ts'
import { measurePolls } from './bench/polls.ts'
import { ROOT, runTask, startServer, stopAll } from './bench/processes.ts'
import { measureRegisters } from './bench/registers.ts'
import { ratioReportOf, reportOf } from './bench/report.ts'
import { measureReads, measureSends, prepareWorkload, type Workload } from './bench/requests.ts'
import type { Results, Scenario } from './bench/results.ts'
import { measureSeveral } from './bench/several.ts'
import { measureStarts } from './bench/starts.ts'
import { wrkVersion } from './bench/wrk.ts'
import { ensureGenerated } from './generate.ts'

const DOCUMENT = join(ROOT, 'docs/performance.md')
const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: {
    quick: flag,
    write: flag,
    ratios: flag,
    only: { type: 'string', default: '' },
    loop: flag,
    memory: flag,
    registers: flag,
    polls: flag,
    several: flag,
  },
})

const say = (what: string): void => console.error(`… ${what}`)

/** Each returns Markdown that continues the line with date and machine. */
const OTHERS = {
  loop: (folder: string) => measureLoop(folder, values.only, say),
  memory: measureMemory,
  registers: measureRegisters,
  polls: measurePolls,
  several: measureSeveral,
}

async function openWorkload(synchronous: 'FULL' | 'NORMAL', dataFolder: string): Promise<Workload> {
  const server = await startServer({ dataFolder, environment: { PARLEY_SQLITE_SYNCHRONOUS: synchronous } })
  return prepareWorkload(server, dataFolder)
}

async function bench(wrk: string, folder: string): Promise<Results> {
  const rounds = values.quick ? 1 : 4
  const timing = { seconds: 2, rounds }
  const prepared = join(folder, 'data')
  say('demo organization, 16 senders')
  const full = await openWorkload('FULL', prepared)
  say('reads')
  const scenarios: Scenario[] = await measureReads(full, folder, timing)
  say('sends, FULL')
  scenarios.push(await measureSends(full, 'FULL', folder, timing))
  await full.server.stop()
  say('sends, NORMAL')
  const normal = await openWorkload('NORMAL', join(folder, 'normal'))
  scenarios.push(await measureSends(normal, 'NORMAL', folder, timing))
  await normal.server.stop()
  say('route, decode, validate')
  const pipeline = await runTask('pipeline', {})
  say('starts')
  const start = await measureStarts(folder, prepared, Math.max(3, rounds))
  return { versions: await versions(wrk), ...timing, scenarios, pipeline, start }
}

function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  return `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${memory}, ${type()} ${release()}, commit ${commit}`
}

async function versions(wrk: string): Promise<Record<string, string>> {
  const found: Record<string, string> = { Node: process.versions.node, wrk: wrk.replace(/^wrk /, '') }
  for (const name of ['better-sqlite3', 'koa', 'openapi-backend', 'ajv']) {
    const manifest = JSON.parse(await readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))
    found[name] = String(manifest.version)
  }
  return found
}

/** Prints the report, and writes it between the marks of that name in the document if asked to. */
async function publish(name: string, found: string): Promise<void> {
  const report = `${new Date().toISOString().slice(0, 10)}, ${machine()}${found}\n`
  process.stdout.write(report)
  if (!values.write) return
  const text = await readFile(DOCUMENT, 'utf8')
  const [before, first, , last, ...rest] = text.split(new RegExp(`(<!-- ${name}: .* -->\n|<!-- /${name} -->)`))
  if (last === undefined) throw new Error(`docs/performance.md lacks the marks of ${name}`)
  await writeFile(DOCUMENT, `${before}${first}\n${report}\n${last}${rest.join('')}`)
}

async function ratios(folder: string): Promise<string> {
  const timing = { seconds: 1, rounds: 2 }
  const work = await openWorkload('FULL', join(folder, 'data'))
  const scenarios = await measureReads(work, folder, timing)
  scenarios.push(await measureSends(work, 'FULL', folder, timing))
  return ratioReportOf(scenarios)
}

async function main(wrk: string, folder: string): Promise<void> {
  if (values.ratios) return void process.stdout.write(await ratios(folder))
  for (const [name, measure] of Object.entries(OTHERS)) {
    if (values[name as keyof typeof OTHERS]) return publish(name, await measure(folder, say))
  }
  await publish('figures', reportOf(await bench(wrk, folder)))
}

const wrk = wrkVersion()
if (wrk === undefined) {
  console.error('npm run bench needs the load generator wrk, which is not installed: apt-get install wrk')
  process.exit(1)
}
await ensureGenerated()
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
try {
  await main(wrk, folder)
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}

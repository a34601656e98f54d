/**
 * `npm run bench [-- [--quick] [--json FILE] [--write]]`: measures this checkout on this machine. Each figure stands
 * next to its floors (bare node:http and bare Koa with the same body, SQLite alone), measured in the same run.
 * `--quick` measures for 2 s once instead of four times, `--json` writes the figures to a file, `--write` puts the
 * tables into docs/performance.md. Other measurements: `--loop` how long the worst call of each operation blocks the
 * event loop (`--only NAME`: only operations with this in their name), `--memory` what the server takes while 100,000
 * messages are sent, `--registers` POST /register in organizations of different kinds, `--polls` the cost of waiting
 * event queues, `--several` one to three processes on one MariaDB. `--ratios`, which CI runs, measures only the requests,
 * for a second each. Needs wrk. The load generator shares the processors with the server, so ratios say more than figures.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeLargeOrganization } from './bench/loop/large-organization.ts'
import { type LoopFigure, loopReportOf, measureLoop } from './bench/loop/loop.ts'
import { measureMemory, memoryReportOf } from './bench/memory.ts'
import { measurePolls, pollReportOf } from './bench/polls.ts'
import { ROOT, runTask, startServer, stopAll } from './bench/processes.ts'
import { measureRegisters, registerReportOf } from './bench/registers.ts'
import { ratioReportOf, reportOf } from './bench/report.ts'
import { measureFanOuts, measureReads, measureSends, prepareWorkload, type Workload } from './bench/requests.ts'
import type { Results, Scenario } from './bench/results.ts'
import { measureSeveral, severalReportOf } from './bench/several.ts'
import { measureStarts } from './bench/starts.ts'
import { wrkVersion } from './bench/wrk.ts'
import { ensureGenerated } from './generate.ts'

const DOCUMENT = join(ROOT, 'docs/performance.md')
type Marks = readonly [begin: string, end: string]
const FIGURES = ['<!-- figures: made by npm run bench -- --write -->', '<!-- /figures -->'] as const
const LOOP = ['<!-- loop: made by npm run bench -- --loop --write -->', '<!-- /loop -->'] as const
const REGISTERS = ['<!-- registers: made by npm run bench -- --registers --write -->', '<!-- /registers -->'] as const
const POLLS_THAT_WAIT = ['<!-- polls: made by npm run bench -- --polls --write -->', '<!-- /polls -->'] as const
const MEMORY = ['<!-- memory: made by npm run bench -- --memory --write -->', '<!-- /memory -->'] as const
const SEVERAL = ['<!-- several: made by npm run bench -- --several --write -->', '<!-- /several -->'] as const
const POLLS = 1000
const SENDS = 100_000

const say = (what: string): void => console.error(`… ${what}`)

async function openWorkload(synchronous: 'FULL' | 'NORMAL', dataFolder: string): Promise<Workload> {
  const server = await startServer({ dataFolder, environment: { PARLEY_SQLITE_SYNCHRONOUS: synchronous } })
  return prepareWorkload(server, dataFolder)
}

async function bench(wrk: string, folder: string, rounds: number): Promise<Results> {
  const timing = { seconds: 2, rounds }
  const prepared = join(folder, 'data')
  const scenarios: Scenario[] = []
  say('demo organization, 16 senders')
  const full = await openWorkload('FULL', prepared)
  say('SQLite alone')
  const statements = await runTask('statements', { file: full.databaseFile, messageId: full.messageId })
  say('reads')
  scenarios.push(...(await measureReads(full, statements, folder, timing)))
  say(`${POLLS} parked polls`)
  const fanOut = await measureFanOuts(full, POLLS, Math.max(3, rounds))
  say('sends, FULL')
  scenarios.push(await measureSends(full, 'FULL', statements, folder, timing))
  await full.server.stop()
  say('sends, NORMAL')
  const normal = await openWorkload('NORMAL', join(folder, 'normal'))
  scenarios.push(await measureSends(normal, 'NORMAL', statements, folder, timing))
  await normal.server.stop()
  say('route, decode, validate')
  const pipeline = await runTask('pipeline', {})
  say('starts')
  const start = await measureStarts(folder, prepared, Math.max(3, rounds))
  const date = new Date().toISOString()
  return { date, machine: machine(), versions: await versions(wrk), ...timing, scenarios, pipeline, fanOut, start }
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

async function writeDocument([begin, end]: Marks, report: string): Promise<void> {
  const text = await readFile(DOCUMENT, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks ${begin} … ${end}`)
  await writeFile(DOCUMENT, `${text.slice(0, from)}${begin}\n\n${report}\n${text.slice(to)}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
      loop: { type: 'boolean', default: false },
      memory: { type: 'boolean', default: false },
      registers: { type: 'boolean', default: false },
      polls: { type: 'boolean', default: false },
      several: { type: 'boolean', default: false },
      ratios: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  })
  const { write } = values
  if (values.loop) return reported(write, LOOP, (folder) => measureBlocks(folder, values.only), loopReportOf)
  if (values.memory) return reported(write, MEMORY, (folder) => measureMemory(folder, SENDS, say), memoryReportOf)
  if (values.registers) {
    return reported(write, REGISTERS, (folder) => measureRegisters(folder, say), registerReportOf)
  }
  if (values.polls) return reported(write, POLLS_THAT_WAIT, (folder) => measurePolls(folder, say), pollReportOf)
  const wrk = wrkVersion()
  if (wrk === undefined) {
    console.error('npm run bench needs the load generator wrk, which is not installed: apt-get install wrk')
    process.exitCode = 1
    return
  }
  if (values.several) return reported(write, SEVERAL, (folder) => measureSeveral(folder, say), severalReportOf)
  if (values.ratios) return inFolder(async (folder) => void process.stdout.write(await ratios(folder)))
  const measure = async (folder: string): Promise<Results> => {
    const results = await bench(wrk, folder, values.quick ? 1 : 4)
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`)
    return results
  }
  await reported(write, FIGURES, measure, reportOf)
}

async function ratios(folder: string): Promise<string> {
  const timing = { seconds: 1, rounds: 2 }
  const work = await openWorkload('FULL', join(folder, 'data'))
  const scenarios = await measureReads(work, undefined, folder, timing)
  scenarios.push(await measureSends(work, 'FULL', undefined, folder, timing))
  return ratioReportOf(scenarios)
}

/** Prints the report of what `measure` finds in a folder of its own, and writes it if asked to. */
function reported<Figures>(
  isWritten: boolean,
  marks: Marks,
  measure: (folder: string) => Promise<Figures>,
  reportOf: (figures: Figures, machine: string) => string,
): Promise<void> {
  return inFolder(async (folder) => {
    const report = reportOf(await measure(folder), machine())
    process.stdout.write(report)
    if (isWritten) await writeDocument(marks, report)
  })
}

async function measureBlocks(folder: string, only: string): Promise<readonly LoopFigure[]> {
  say('250,000 messages, 10,000 channels, 10,000 users')
  return measureLoop(await makeLargeOrganization(folder), only, say)
}

/** Removes the folder and stops the servers afterwards. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  await ensureGenerated()
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  try {
    await work(folder)
  } finally {
    await stopAll()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type ClientRequest, get } from 'node:http'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { environmentWithoutSettings } from '../../conformance/environment-testing.ts'
import type { DemoCredentials } from '../../server/first-start.ts'
import { freePort } from '../test/machine.ts'
import { startMariaDb } from '../test/mariadb.ts'
import type { Task, TaskInput, TaskOutput } from './child.ts'

export const ROOT = join(import.meta.dirname, '../..')
const CHILD = join(import.meta.dirname, 'child.ts')
/** A server that has not answered by then never will. */
const START_MS = 60_000

/** Running processes, so that a failing benchmark can stop them. */
const alive = new Set<ChildProcess>()

function remembered(child: ChildProcess): ChildProcess {
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  return child
}

export async function stopAll(): Promise<void> {
  await Promise.all([...alive].map(stop))
}

export interface Running {
  readonly child: ChildProcess
  /** http://host:port */
  readonly url: string
  stop(): Promise<void>
}

/** Runs a task of child.ts to its end in its own process, and returns its result. */
export async function runTask<Name extends Task>(name: Name, input: TaskInput<Name>): Promise<TaskOutput<Name>> {
  const child = spawnTask(name, input)
  const result = await firstLine(child)
  await ended(child)
  return JSON.parse(result) as TaskOutput<Name>
}

/** Starts the floor, which runs until it is stopped. */
export async function startBareServer(input: TaskInput<'bare-http'>): Promise<Running> {
  const child = spawnTask('bare-http', input)
  return { child, url: JSON.parse(await firstLine(child)), stop: () => stop(child) }
}

function spawnTask<Name extends Task>(name: Name, input: TaskInput<Name>): ChildProcess {
  const child = spawn(process.execPath, [CHILD, name, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return remembered(child)
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the child ended without a result')
}

/** Runs on an empty database of a MariaDB of its own, which does not wait for the disk. */
export async function onMariaDb<T>(work: (url: string) => Promise<T>): Promise<T> {
  const mariadb = await startMariaDb(new AbortController().signal)
  if (!mariadb) throw new Error('MariaDB is not installed')
  try {
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection(`${mariadb.url}/`)
    await connection.query('create database parley character set utf8mb4')
    await connection.end()
    return await work(`${mariadb.url}/parley`)
  } finally {
    await stopAll()
    await mariadb.stop()
  }
}

export interface ServerOptions {
  readonly dataFolder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Whether npm starts it, as users do; otherwise the same command without npm. */
  readonly isThroughNpm?: boolean
  /** Gets each line of the log, which otherwise goes to standard error. */
  readonly onLog?: (line: string) => void
}

export interface StartedServer extends Running {
  /** From the spawn to the first answer. */
  readonly startMs: number
}

/** Starts a server as `npm start` does, with rate limits off, and waits for its first answer. */
export async function startServer(options: ServerOptions): Promise<StartedServer> {
  const { dataFolder, environment = {}, cwd = ROOT, isThroughNpm = false, onLog } = options
  const port = await freePort()
  const [command, ...args] = isThroughNpm ? ['npm', 'start'] : ['sh', '-c', startScript()]
  const started = performance.now()
  // A process group, so that npm, its shell and the server are stopped together.
  const child = spawn(command as string, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', onLog ? 'pipe' : 'inherit'],
    env: {
      ...environmentWithoutSettings(),
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      PORT: String(port),
      HOST: '127.0.0.1',
      PARLEY_DATA: dataFolder,
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_LOG_LEVEL: 'warn',
      ...environment,
    },
  })
  remembered(child)
  if (child.stderr && onLog) createInterface({ input: child.stderr }).on('line', onLog)
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(`${url}/health`))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    if (performance.now() - started > START_MS) throw new Error('the server did not answer')
    await delay(2)
  }
  return { child, url, startMs: performance.now() - started, stop: () => stop(child) }
}

/** The credentials that the first start of a server wrote into its data folder. */
export async function demoCredentials(dataFolder: string): Promise<DemoCredentials> {
  return JSON.parse(await readFile(join(dataFolder, 'demo-credentials.json'), 'utf8'))
}

/** The command that npm would pass to the shell. */
function startScript(): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request: ClientRequest = get(url, { agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
    })
    request.on('error', () => resolve(false))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    // Not the leader of a process group, so only this process is stopped.
    child.kill('SIGTERM')
  }
  await ended(child)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

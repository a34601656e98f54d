import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { environmentWithoutSettings } from '../conformance/environment-testing.ts'
import type { DemoCredentials } from './first-start.ts'
import { type ApiClient, accountsOf, metric, until } from './testing.ts'

const PROJECT = join(import.meta.dirname, '..')
/** If a server has not answered by then, the test reports its output. On a busy machine a first start takes 3 s. */
const START_MS = 60_000

/** Registers clean-up: a TestContext, or `fileCleanup()`. */
export interface Cleanup {
  after(clean: () => Promise<void>): void
}

/**
 * Clean-up for resources that all tests of a file share. Call it outside hooks: an `after` inside `before` runs at
 * once.
 */
export function fileCleanup(): Cleanup {
  const all: (() => Promise<void>)[] = []
  after(async () => {
    for (const clean of all) await clean()
  })
  return { after: (clean) => void all.push(clean) }
}

const cleanups = new WeakMap<Cleanup, (() => Promise<unknown>)[]>()

/**
 * Cleans up in reverse order, so that a server ends before its folder is removed (a TestContext uses the order of
 * registration).
 */
function onEnd(t: Cleanup, clean: () => Promise<unknown>): void {
  const known = cleanups.get(t)
  if (known) {
    known.push(clean)
    return
  }
  const stack = [clean]
  cleanups.set(t, stack)
  t.after(async () => {
    for (const one of stack.toReversed()) await one()
  })
}

export interface ProcessOptions {
  readonly dataFolder: string
  /** Settings. Missing ones have the values for tests: a free port, no rate limits, errors logged. */
  readonly environment?: Readonly<Record<string, string>>
  /** Command line arguments. */
  readonly flags?: readonly string[]
  /** Command line arguments of Node. */
  readonly nodeFlags?: readonly string[]
  /** Folder of the checkout, if it is not this one. */
  readonly project?: string
}

/** The end of a process, and its output. */
export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A server in its own process that has printed its address. */
export interface ServerProcess {
  readonly pid: number
  readonly url: string
  readonly credentials: DemoCredentials
  /** Waits until the output of the process matches the pattern. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Account of the demo organization: owner, admin, moderator, member, member2, guest or bot. */
  as(key: string): ApiClient
  /** Sends the signal and waits for the end. */
  kill(signal: Signal): Promise<Ended>
  readonly ended: Promise<Ended>
}

type Signal = 'SIGKILL' | 'SIGTERM' | 'SIGUSR2' | 'SIGCONT'

/** A folder for this test only. */
export async function temporaryFolder(t: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-process-'))
  onEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Creates the data folder of another process, which knows the demo accounts that the first one made. */
export async function folderBeside(t: Cleanup, first: string): Promise<string> {
  const folder = await temporaryFolder(t)
  await copyFile(join(first, 'demo-credentials.json'), join(folder, 'demo-credentials.json'))
  return folder
}

/** Runs `npm start` without npm: a process that tests may kill at any moment. It never outlives the test. */
export class StartedProcess {
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess
  readonly #onStdout = new Set<() => void>()
  #stdout = ''
  #stderr = ''

  constructor(
    t: Cleanup,
    { dataFolder, environment = {}, flags = [], nodeFlags = [], project = PROJECT }: ProcessOptions,
  ) {
    const child = spawn(process.execPath, [...nodeFlags, join(project, 'scripts/start.mjs'), ...flags], {
      env: { ...inherited(), ...TEST_SETTINGS, PARLEY_DATA: dataFolder, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
      for (const listener of this.#onStdout) listener()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    const dieWithUs = (): boolean => child.kill('SIGKILL')
    process.once('exit', dieWithUs)
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => {
        process.off('exit', dieWithUs)
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr })
      })
    })
    onEnd(t, () => this.#end())
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the process did not start')
    return this.#child.pid
  }

  kill(signal: Signal): Promise<Ended> {
    this.#child.kill(signal)
    return this.ended
  }

  /** Prints the server's logged errors, which explain a failed test that only got a 500. */
  async #end(): Promise<void> {
    const { stderr } = await this.kill('SIGKILL')
    if (/"level":[56]0/.test(stderr)) console.error(`errors that a server logged:\n${stderr}`)
  }

  /** Waits until the output of the server matches `pattern`. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
    const look = (): void => {
      const match = pattern.exec(this.#stdout)
      if (match) resolve(match)
    }
    const giveUp = (what: string): void => reject(new Error(`${what}\n${this.#stdout}${this.#stderr}`))
    const timer = setTimeout(() => giveUp(`the server has not printed ${pattern} after ${START_MS} ms`), START_MS)
    this.ended.then(
      ({ code }) => giveUp(`the server ended with exit code ${code}, not having printed ${pattern}`),
      reject,
    )
    this.#onStdout.add(look)
    look()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#onStdout.delete(look)
    }
  }
}

/** Starts a server on `dataFolder` and waits for its first answer. */
export async function startProcess(t: Cleanup, options: ProcessOptions): Promise<ServerProcess> {
  const started = new StartedProcess(t, options)
  const url = (await started.prints(/^Parley answers at (\S+)$/m))[1] ?? ''
  const [, file = ''] = await started.prints(/^Credentials .*: (\S+)$/m)
  const text = await readFile(file, 'utf8')
  const credentials = JSON.parse(text) as DemoCredentials
  return {
    pid: started.pid,
    url,
    credentials,
    prints: (pattern) => started.prints(pattern),
    as: accountsOf(url, credentials),
    kill: (signal) => started.kill(signal),
    ended: started.ended,
  }
}

/** Runs the start script to its end, for starts that must be refused. */
export function runProcess(t: Cleanup, options: ProcessOptions): Promise<Ended> {
  return new StartedProcess(t, options).ended
}

/** Waits until exactly this many GET /events are parked in the server. */
export function untilParked(url: string, count: number): Promise<void> {
  return until(async () => (await metric(url, 'parley_event_queues{state="parked"}')) === count)
}

const TEST_SETTINGS = { PORT: '0', PARLEY_RATE_LIMITS: 'off', PARLEY_LOG_LEVEL: 'error' }

/** The machine's environment, with checked answers if the tests use that. */
function inherited(): NodeJS.ProcessEnv {
  const { PARLEY_CHECK_ANSWERS } = process.env
  return { ...environmentWithoutSettings(), ...(PARLEY_CHECK_ANSWERS && { PARLEY_CHECK_ANSWERS }) }
}

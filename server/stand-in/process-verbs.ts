import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Schemas } from '../../generated/operations.ts'
import type { DemoCredentials } from '../first-start.ts'
import { SETTINGS } from '../settings.ts'
import { encode, type Login, type Parameters } from './api-client.ts'
import type { Failure } from './failures.ts'
import type { JournalEntry } from './journal.ts'
import type { ResetOptions, Verbs } from './verbs.ts'

const COMMAND = join(import.meta.dirname, '../command.mjs')

const children = new Set<ChildProcess>()
// Test runners end processes abruptly.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** A server in a process of its own, controlled over HTTP. */
export class ProcessVerbs implements Verbs {
  readonly url: string
  readonly credentials: DemoCredentials | undefined
  readonly #folder: string
  #child: ChildProcess
  /** Calls from before a crash, which a restarted process does not know. */
  #earlier: readonly JournalEntry[] = []

  static async open(folder: string, organization: 'demo' | 'empty'): Promise<ProcessVerbs> {
    const started = await start(folder, ['--port', '0', '--organization', organization, '--testing'])
    return new ProcessVerbs(folder, started)
  }

  private constructor(folder: string, { child, url, credentials }: Started) {
    this.#folder = folder
    this.#child = child
    this.url = url
    this.credentials = credentials
  }

  async advance(ms: number): Promise<void> {
    await this.#ask('POST', 'advance', { ms })
  }

  async expireQueues(): Promise<number> {
    const { queues } = await this.#ask('POST', 'expire-queues')
    return queues as number
  }

  async failNext(failure: Failure): Promise<void> {
    const { retryAfter, drop, ...same } = failure
    const isBefore = drop === true || drop === 'request'
    await this.#ask('POST', 'fail-next', {
      ...same,
      retry_after: retryAfter,
      drop: isBefore ? 'request' : drop || undefined,
    })
  }

  async limitRates(callsAMinute: number | null): Promise<void> {
    await this.#ask('POST', 'limit-rates', { calls_a_minute: callsAMinute ?? undefined })
  }

  async pauseEvents(): Promise<void> {
    await this.#ask('POST', 'pause-events')
  }

  async resumeEvents(): Promise<void> {
    await this.#ask('POST', 'resume-events')
  }

  async restart(): Promise<void> {
    await this.#ask('POST', 'restart')
  }

  async snapshot(): Promise<void> {
    await this.#ask('POST', 'snapshot')
  }

  async reset({ to }: ResetOptions = {}): Promise<void> {
    await this.#ask('POST', 'reset', to && { to })
    this.#earlier = []
  }

  /** Failures, limits and pauses are lost; journal, clock and snapshot are not. */
  async crash(): Promise<void> {
    const earlier = await this.requests()
    await this.#end('SIGKILL')
    const { port } = new URL(this.url)
    const { child } = await start(this.#folder, ['--port', port, '--testing', 'again'])
    this.#child = child
    // Their clients have lost them with the connection.
    this.#earlier = earlier.map((entry) =>
      entry.outcome === 'waiting' ? { ...entry, outcome: 'dropped' as const, ended: entry.at } : entry,
    )
  }

  async newUser(fullName: string): Promise<Login> {
    const { email, api_key, user_id } = await this.#ask('POST', 'users', { full_name: fullName })
    return { email, api_key, user_id } as Login
  }

  async requests(): Promise<readonly JournalEntry[]> {
    const { requests } = await this.#ask('GET', 'requests')
    const before = this.#earlier.length
    return [
      ...this.#earlier,
      ...(requests as Schemas['JournalEntry'][]).map(
        ({ number, has_key_in_url: hasKeyInUrl, retry_after: retryAfter, ...same }) => {
          return { ...same, hasKeyInUrl, retryAfter, number: number + before }
        },
      ),
    ]
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill(signal)
    await once(this.#child, 'exit')
  }

  async #ask(method: 'GET' | 'POST', path: string, sent: Parameters = {}): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.url}/testing/${path}`, {
      method,
      ...(method === 'POST' && { body: encode(sent) }),
    })
    const body = (await answer.json()) as Record<string, unknown>
    if (answer.ok) return body
    throw answer.status === 400 ? new RangeError(String(body.msg)) : new Error(String(body.msg))
  }
}

interface Started {
  readonly child: ChildProcess
  readonly url: string
  readonly credentials: DemoCredentials | undefined
}

/** Starts the command on a data folder, and waits until it reports its address. */
async function start(folder: string, args: readonly string[]): Promise<Started> {
  const data = join(folder, 'data')
  const readyFile = join(folder, 'ready.json')
  const all = [COMMAND, ...args, '--data', data, '--ready-file', readyFile, '--log-level', 'error']
  const child = spawn(process.execPath, all, { env: withoutSettings(), stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('Parley answers at ')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the server ended before it answered:\n${complaints}`)))
  })
  return { child, ...(JSON.parse(await readFile(readyFile, 'utf8')) as Omit<Started, 'child'>) }
}

/** Without the settings in the environment, which are meant for another server. */
function withoutSettings(): NodeJS.ProcessEnv {
  const variables: readonly string[] = SETTINGS.map(({ variable }) => variable)
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !variables.includes(name) && !name.startsWith('PARLEY_')),
  )
}

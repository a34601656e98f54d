import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { PushRelay } from './deployment/push-relay.ts'
import type { ConformanceOptions } from './options.ts'
import { PUSH_RELAY_OF_RUN, type StartedServer, settingsOf, startedIn } from './testing.ts'

/**
 * Everything that runs create on a server stays there: answers about everybody grow, and with more than a hundred
 * people there are no presence events.
 */
const MOST_ACCOUNTS = 40

/** A server with one run at a time. */
export interface PooledServer extends StartedServer {
  /** For the run's option of this name. */
  readonly onKept: NonNullable<ConformanceOptions['onKept']>
  /** No other run gets it afterwards. */
  giveUp(): void
}

/**
 * Servers for runs that must not affect each other: each run has a server to itself, which other runs may have had
 * before. All are in one other process, so that compiling, most of the cost of a server's first requests, is done once.
 */
export class ServerPool {
  readonly #idle = new Map<string, { server: StartedServer; stop: () => Promise<void>; accounts: number }[]>()
  readonly #asked = new Map<number, (answer: { url?: string; failure?: string }) => void>()
  #process: ChildProcess | undefined
  #count = 0

  /** Create it where tests are declared: all servers are stopped when those have ended. */
  constructor() {
    after(async () => {
      await Promise.all([...this.#idle.values()].flat().map(({ stop }) => stop()))
      this.#process?.disconnect()
    })
  }

  async use<T>(settings: Readonly<Record<string, string>>, run: (server: PooledServer) => Promise<T>): Promise<T> {
    const key = JSON.stringify(settings)
    const idle = this.#idle.get(key) ?? []
    this.#idle.set(key, idle)
    const one = idle.pop() ?? (await this.#started(settings))
    const onKept: PooledServer['onKept'] = (logins) => {
      one.accounts += logins.length - one.server.logins.length
    }
    const giveUp = (): void => {
      one.accounts = MOST_ACCOUNTS
    }
    try {
      return await run({ ...one.server, onKept, giveUp })
    } finally {
      if (one.accounts < MOST_ACCOUNTS) idle.push(one)
      else await one.stop()
    }
  }

  async #started(settings: Readonly<Record<string, string>>) {
    const folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'))
    this.#count += 1
    const id = this.#count
    const isOfRun = settings.PARLEY_PUSH_RELAY_URL === PUSH_RELAY_OF_RUN.PARLEY_PUSH_RELAY_URL
    const pushRelay = isOfRun ? await PushRelay.listen() : undefined
    const own = { ...settings, ...(pushRelay && { PARLEY_PUSH_RELAY_URL: pushRelay.url }) }
    const { url } = await this.#ask({
      id,
      settings: { ...settingsOf(folder), PARLEY_SQLITE_SYNCHRONOUS: 'NORMAL', ...own },
    })
    assert.ok(url)
    const stop = async (): Promise<void> => {
      await this.#ask({ id })
      pushRelay?.stop()
      await rm(folder, { recursive: true, force: true })
    }
    return { server: { ...startedIn(folder, url), ...(pushRelay && { pushRelay }) }, stop, accounts: 0 }
  }

  async #ask(request: { id: number; settings?: Readonly<Record<string, string>> }): Promise<{ url?: string }> {
    this.#process ??= this.#forked()
    const { url, failure } = await new Promise<{ url?: string; failure?: string }>((resolve) => {
      this.#asked.set(request.id, resolve)
      this.#process?.send(request)
    })
    if (failure !== undefined) throw new Error(failure)
    return url === undefined ? {} : { url }
  }

  #forked(): ChildProcess {
    const child = fork(new URL('../server/many-servers-testing.ts', import.meta.url), { execArgv: [] })
    child.on('message', ({ id, ...answer }: { id: number; url?: string; failure?: string }) => {
      this.#asked.get(id)?.(answer)
    })
    child.once('close', () => {
      for (const answer of this.#asked.values()) answer({ failure: 'the process of the servers has ended' })
    })
    return child
  }
}

/** A server that the tests of a file share, from the first call until they have ended. */
export function sharedServer(settings: Readonly<Record<string, string>> = {}): () => Promise<StartedServer> {
  const servers = new ServerPool()
  let started: Promise<StartedServer> | undefined
  return () => {
    started ??= servers.use(settings, async (server) => server)
    return started
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, embeddedConfig } from '../config.ts'
import { createParley } from '../create-parley.ts'
import type { DemoCredentials } from '../first-start.ts'
import { ApiClient } from './api-client.ts'
import { type Contents, contentsOf, writeContents } from './kept-state.ts'
import { LocalVerbs } from './local-verbs.ts'
import { mistakesText, type RuleName } from './mistakes.ts'
import { ProcessVerbs } from './process-verbs.ts'
import type { Verbs } from './verbs.ts'

export interface ParleyOptions {
  /** `demo` (the default) has people, a bot and channels; `empty` an owner and nothing else. */
  readonly organization?: 'demo' | 'empty'
  /** Whether the server gets a process of its own, which `crash()` can kill. It takes some 500 ms to start. */
  readonly ownProcess?: boolean
  /** Everything else that can be set; not in a process of its own. */
  readonly config?: Partial<Omit<Config, 'dataFolder' | 'database' | 'organization' | 'clock' | 'testing'>>
}

/** A server for one test or several, in a temporary folder, without limits, which nothing survives. */
export interface StandIn extends Omit<Verbs, 'newUser'>, AsyncDisposable {
  /** http://127.0.0.1:port; stays the same whatever happens to the server. */
  readonly url: string
  /** Of the accounts that are there at the start. */
  readonly credentials: DemoCredentials
  /** An account of the start by its key: owner, admin, moderator, member, member2, guest or bot. */
  as(key: string): ApiClient
  /** A name that nothing else in this server has. */
  unique(prefix: string): string
  /** A new member, with a name of its own where none is given. */
  newUser(fullName?: string): Promise<ApiClient>
  /** Kills the server as `kill -9` does, and starts it again on what it left. Only with `ownProcess`. */
  crash(): Promise<void>
  /** Fails with what the client did wrong, and what to do instead. @param options rules that do not count */
  expectNoMistakes(options?: { readonly except?: readonly RuleName[] }): Promise<void>
  stop(): Promise<void>
}

/** Starts a server. The first one of a process takes half a second, because its organization has to be made. */
export async function startParley(options: ParleyOptions = {}): Promise<StandIn> {
  const { organization = 'demo', ownProcess = false, config } = options
  if (ownProcess && config !== undefined) throw new RangeError('config is for a server in this process')
  const folder = await mkdtemp(join(tmpdir(), 'parley-testing-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const verbs = ownProcess
      ? await ProcessVerbs.open(folder, organization)
      : await startHere(folder, organization, config ?? {})
    const { credentials } = verbs
    if (!credentials) throw new Error('the organization has no credentials')
    return standIn(verbs, credentials, async () => {
      await verbs.stop()
      await remove()
    })
  } catch (err) {
    await remove()
    throw err
  }
}

async function startHere(
  dataFolder: string,
  organization: 'demo' | 'empty',
  changes: NonNullable<ParleyOptions['config']>,
): Promise<LocalVerbs> {
  await writeContents(dataFolder, await initialState(organization))
  return LocalVerbs.open({ config: testConfig(dataFolder, { organization, ...changes }) })
}

/** The same for every stand-in: what it keeps may be lost, and it listens here only. */
function testConfig(dataFolder: string, changes: Partial<Config>): Config {
  return embeddedConfig({
    port: 0,
    rateLimits: false,
    logLevel: 'error',
    ...changes,
    dataFolder,
    database: { kind: 'sqlite', file: join(dataFolder, 'parley.sqlite'), synchronous: 'OFF' },
  })
}

const initialStates = new Map<string, Promise<Contents>>()

/** A data folder in which a first start has made the organization: in memory, because making it takes long, and runners of tests end processes at once. */
function initialState(organization: 'demo' | 'empty'): Promise<Contents> {
  const present = initialStates.get(organization) ?? makeInitialState(organization)
  initialStates.set(organization, present)
  return present
}

async function makeInitialState(organization: 'demo' | 'empty'): Promise<Contents> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-testing-'))
  try {
    await (await createParley(testConfig(folder, { organization }))).stop()
    return await contentsOf(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function standIn(verbs: LocalVerbs | ProcessVerbs, credentials: DemoCredentials, stop: () => Promise<void>): StandIn {
  const { url } = verbs
  let count = 0
  let stopping: Promise<void> | undefined
  const unique = (prefix: string): string => {
    count += 1
    return `${prefix} ${count}`
  }
  const end = (): Promise<void> => {
    stopping ??= stop()
    return stopping
  }
  return {
    url,
    credentials,
    unique,
    as(key) {
      const login = credentials.users[key]
      if (!login) throw new Error(`There is no account '${key}': expected ${Object.keys(credentials.users).join(', ')}`)
      return new ApiClient(url, login)
    },
    newUser: async (fullName = unique('User')) => new ApiClient(url, await verbs.newUser(fullName)),
    async expectNoMistakes({ except = [] } = {}) {
      const mistakes = (await verbs.mistakes()).filter(({ rule }) => !except.includes(rule))
      if (mistakes.length > 0) throw new Error(`The client makes mistakes:\n\n${mistakesText(mistakes)}`)
    },
    async crash() {
      if (verbs instanceof LocalVerbs) throw new Error('crash() needs startParley({ ownProcess: true })')
      await verbs.crash()
    },
    advance: (ms) => verbs.advance(ms),
    expireQueues: () => verbs.expireQueues(),
    failNext: (failure) => verbs.failNext(failure),
    limitRates: (callsAMinute) => verbs.limitRates(callsAMinute),
    pauseEvents: () => verbs.pauseEvents(),
    resumeEvents: () => verbs.resumeEvents(),
    restart: () => verbs.restart(),
    snapshot: () => verbs.snapshot(),
    reset: (options) => verbs.reset(options),
    requests: () => verbs.requests(),
    mistakes: () => verbs.mistakes(),
    stop: end,
    [Symbol.asyncDispose]: end,
  }
}

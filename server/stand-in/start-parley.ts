import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, embeddedConfig } from '../config.ts'
import { createParley } from '../create-parley.ts'
import type { DemoCredentials } from '../first-start.ts'
import { ApiClient } from './api-client.ts'
import { type Contents, contentsOf, writeContents } from './kept-state.ts'
import { LocalVerbs } from './local-verbs.ts'
import { type Mistake, mistakesOf, mistakesText, type RuleName } from './mistakes.ts'
import { ProcessVerbs } from './process-verbs.ts'
import type { Verbs } from './verbs.ts'

/** Settings that follow from the temporary folder, and from its organization, which all servers of a process share. */
const OWN_SETTINGS = [
  'dataFolder',
  'filesFolder',
  'database',
  'secret',
  'organization',
  'organizationName',
  'owner',
  'clock',
  'testing',
] as const satisfies readonly (keyof Config)[]

export interface ParleyOptions {
  /** `demo` (the default) has people, a bot and channels; `empty` only an owner. */
  readonly organization?: 'demo' | 'empty'
  /** Runs the server in a process of its own, which `crash()` can kill. Takes some 500 ms to start. */
  readonly ownProcess?: boolean
  /** All other settings; not for a process of its own. */
  readonly config?: Partial<Omit<Config, (typeof OWN_SETTINGS)[number]>>
}

/** A server for one or more tests, in a temporary folder, without limits; nothing outlives it. */
export interface StandIn extends Omit<Verbs, 'newUser'>, AsyncDisposable {
  /** http://127.0.0.1:port; stays the same regardless of what happens to the server. */
  readonly url: string
  /** Credentials of the initial accounts. */
  readonly credentials: DemoCredentials
  /** An initial account by its key: owner, admin, moderator, member, member2, guest or bot. */
  as(key: string): ApiClient
  /** Returns a name that is unique on this server. */
  unique(prefix: string): string
  /** Creates a member, with a generated name if none is given. */
  newUser(fullName?: string): Promise<ApiClient>
  /** Kills the server like `kill -9`, and starts it again on its data. Only with `ownProcess`. */
  crash(): Promise<void>
  /** What the client did wrong until now. */
  mistakes(): Promise<readonly Mistake[]>
  /** Throws if the client made mistakes. The message says what to do instead. @param options rules that do not count */
  expectNoMistakes(options?: { readonly except?: readonly RuleName[] }): Promise<void>
  stop(): Promise<void>
}

/** Starts a server. The first one of a process takes half a second, because its organization has to be created. */
export async function startParley(options: ParleyOptions = {}): Promise<StandIn> {
  const { organization = 'demo', ownProcess = false, config, ...unknown } = options
  // A caller in JavaScript may pass anything.
  const [misspelt] = Object.keys(unknown)
  if (misspelt !== undefined) throw new RangeError(`startParley has no option '${misspelt}'`)
  if (ownProcess && config !== undefined) throw new RangeError('config is for a server in this process')
  const own = OWN_SETTINGS.find((setting) => (config as Partial<Config> | undefined)?.[setting] !== undefined)
  if (own !== undefined) throw new RangeError(`startParley takes no config.${own}`)
  const folder = await mkdtemp(join(tmpdir(), 'parley-testing-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const verbs = ownProcess
      ? await ProcessVerbs.open(folder, organization)
      : await startHere(folder, organization, config ?? {})
    const { credentials } = verbs
    if (!credentials) throw new Error('the organization has no credentials')
    return standIn(verbs, credentials, async () => {
      try {
        await verbs.stop()
      } finally {
        await remove()
      }
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
  return LocalVerbs.open(testConfig(dataFolder, { organization, ...changes }))
}

/** Settings of every stand-in: its data may be lost, and it listens on this machine only. */
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

/**
 * Returns a data folder with the organization of a first start. It is kept in memory, because creating it takes long,
 * and test runners end processes abruptly.
 */
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
  const mistakes = async (): Promise<Mistake[]> => mistakesOf(await verbs.requests())
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
      const found = (await mistakes()).filter(({ rule }) => !except.includes(rule))
      if (found.length > 0) throw new Error(`The client makes mistakes:\n\n${mistakesText(found)}`)
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
    mistakes,
    stop: end,
    [Symbol.asyncDispose]: end,
  }
}

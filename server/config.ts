import { parseArgs } from 'node:util'
import type { DatabaseLocation } from '../db/database.ts'
import type { UploadLimits } from '../domain/attachments/attachment.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import type { WireValues } from '../domain/wire-values.ts'
import { SERVER_COMMAND } from './command-names.ts'
import { isLoopback } from './loopback.ts'
import { ConfigError, type Given, originsIn, SETTINGS, urlAt, valuesOf } from './settings.ts'
import type { AnswerLimits } from './traffic/answers.ts'
import type { BodyLimits } from './traffic/bodies.ts'
import type { ConnectionLimits } from './traffic/connections.ts'
import type { TurnLimits } from './traffic/turns.ts'
import { unknownVariable } from './unknown-variables.ts'

/** Limits for what clients may send and keep open at the same time. */
interface TrafficLimits extends BodyLimits, AnswerLimits {
  readonly connections: ConnectionLimits
  readonly requests: TurnLimits
}

/** All settings, validated. Names of durations and sizes contain their unit. */
export interface Config {
  /** 0 means any free port. */
  readonly port: number
  readonly host: string
  readonly database: DatabaseLocation
  /** Folder of database, secret and credentials. */
  readonly dataFolder: string
  /** Folder of uploads and exports. */
  readonly filesFolder: string
  /** File that tells waiting programs that the server has started; undefined for none. */
  readonly readyFile: string | undefined
  /** Absolute, without a slash at the end; undefined means http://host:port. */
  readonly publicUrl: string | undefined
  /** Whether X-Forwarded-For is trusted. */
  readonly trustProxy: boolean
  /** If undefined, it is in the data folder, created at the first start. */
  readonly secret: string | undefined
  /** Token for GET /metrics; if undefined, only this machine can read metrics. */
  readonly metricsToken: string | undefined
  readonly organization: 'demo' | 'empty'
  /** Used at the first start of an organization that is not the demo. */
  readonly organizationName: string
  readonly owner: { readonly email: string; readonly fullName: string }
  readonly rateLimits: boolean
  /** Origins of web pages that may call the API; `*` for any. */
  readonly corsOrigins: readonly string[]
  readonly checkAnswers: boolean
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly heartbeatSeconds: number
  readonly wireValues: WireValues
  /** Whether users can log in without a password. */
  readonly hasDevelopmentLogin: boolean
  readonly uploads: UploadLimits
  /** Whether owners may export private data without consent. */
  readonly ownerFullContentAccess: boolean
  /** Size, in messages, up to which administrators can export the organization themselves. */
  readonly maxExportMessages: number
  /** Address of the push notification relay; undefined for none. */
  readonly pushRelayUrl: string | undefined
  /** Number of subscribers from which on a client that asks for partial lists gets them. */
  readonly partialSubscribersFrom: number
  readonly traffic: TrafficLimits
  readonly clock: Clock
  /** Whether tests control the server over HTTP (stand-in/); `again` after a crash, so that its snapshot is kept. */
  readonly testing: 'off' | 'on' | 'again'
}

/** Address at which clients reach the server, as far as it is known before the server listens. */
export function publicUrlOf({ publicUrl, host, port }: Config): string {
  return publicUrl ?? urlAt(host, port)
}

export function helpText(): string {
  const lines = SETTINGS.map(({ variable, flag, default: standard, values, meaning }) => {
    return `  --${flag} (${variable})\n      ${meaning}\n      Values: ${values}. Default: ${standard}.`
  })
  return `Usage: ${SERVER_COMMAND} [flags]\n\nEvery setting has an environment variable and a flag; the flag wins.\n\n${lines.join('\n')}\n`
}

/**
 * Reads and validates settings from the environment and the command line.
 *
 * @returns 'help' if that was requested
 * @throws {ConfigError} naming the invalid setting
 */
export function configFrom(environment: NodeJS.ProcessEnv, args: readonly string[]): Config | 'help' {
  const flags = readFlags(args)
  if (flags === 'help') return 'help'
  const unknown = unknownVariable(environment)
  if (unknown !== undefined) throw new ConfigError(`${unknown} is no setting. All settings: ${SERVER_COMMAND} --help`)
  const given: Given = {}
  for (const { variable, flag } of SETTINGS) {
    // Docker keeps the white space of an env file. A secret may have been used with it.
    const raw = flags[flag] ?? environment[variable]
    const value = variable === 'PARLEY_SECRET' ? raw : raw?.trim()
    if (value !== undefined && value !== '') given[variable] = value
  }
  return readConfig(given)
}

function readFlags(args: readonly string[]): Record<string, string | undefined> | 'help' {
  const options = Object.fromEntries(SETTINGS.map(({ flag }) => [flag, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({
      args: args.map(withValue),
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    return values.help ? 'help' : (values as Record<string, string | undefined>)
  } catch (err) {
    throw new ConfigError(`${(err as Error).message}. See ${SERVER_COMMAND} --help`)
  }
}

/** `--testing` is the only flag that needs no value. */
function withValue(arg: string, index: number, args: readonly string[]): string {
  const isBare = args[index + 1]?.startsWith('-') ?? true
  return arg === '--testing' && isBare ? '--testing=on' : arg
}

function readConfig(given: Given): Config {
  const values = valuesOf(given)
  const { PARLEY_DATA: dataFolder, PARLEY_TESTING: testing, PARLEY_DEVELOPMENT_LOGIN: hasDevelopmentLogin } = values
  if (testing !== 'off' && given.DATABASE_URL !== undefined) {
    throw new ConfigError('PARLEY_TESTING puts back the database in the data folder: unset DATABASE_URL')
  }
  if (testing !== 'off' && given.PARLEY_UPLOADS !== undefined) {
    throw new ConfigError('PARLEY_TESTING puts back the uploads in the data folder: unset PARLEY_UPLOADS')
  }
  if (values.PARLEY_ORGANIZATION === 'demo') refuseOwner(given)
  const config: Config = {
    port: values.PORT,
    host: values.HOST,
    database: databaseOf(values.DATABASE_URL, dataFolder, testing === 'off' ? values.PARLEY_SQLITE_SYNCHRONOUS : 'OFF'),
    dataFolder,
    filesFolder: values.PARLEY_UPLOADS ?? dataFolder,
    readyFile: values.PARLEY_READY_FILE,
    publicUrl: values.PARLEY_PUBLIC_URL,
    trustProxy: values.PARLEY_TRUST_PROXY,
    secret: values.PARLEY_SECRET,
    metricsToken: values.PARLEY_METRICS_TOKEN,
    organization: values.PARLEY_ORGANIZATION,
    organizationName: values.PARLEY_ORGANIZATION_NAME,
    owner: { email: values.PARLEY_OWNER_EMAIL, fullName: values.PARLEY_OWNER_NAME },
    rateLimits: given.PARLEY_RATE_LIMITS === undefined ? testing === 'off' : values.PARLEY_RATE_LIMITS === 'on',
    corsOrigins: originsIn(values.PARLEY_CORS_ORIGINS),
    checkAnswers: values.PARLEY_CHECK_ANSWERS,
    logLevel: values.PARLEY_LOG_LEVEL,
    ownerFullContentAccess: values.PARLEY_OWNER_FULL_CONTENT_ACCESS,
    maxExportMessages: values.PARLEY_MAX_EXPORT_MESSAGES,
    pushRelayUrl: values.PARLEY_PUSH_RELAY_URL,
    wireValues: values.PARLEY_WIRE_VALUES,
    hasDevelopmentLogin,
    heartbeatSeconds: values.PARLEY_HEARTBEAT_SECONDS,
    uploads: { maxFileMib: values.PARLEY_MAX_UPLOAD_MIB, quotaMib: values.PARLEY_UPLOAD_QUOTA_MIB },
    partialSubscribersFrom: values.PARLEY_PARTIAL_SUBSCRIBERS_FROM,
    traffic: {
      connections: {
        all: values.PARLEY_MAX_CONNECTIONS,
        perAddress: values.PARLEY_MAX_CONNECTIONS_PER_ADDRESS,
        perAccount: values.PARLEY_MAX_CONNECTIONS_PER_ACCOUNT,
      },
      requests: { all: 64, perAccount: 8 },
      unreadMib: 64,
      stallSeconds: 60,
      bodiesMib: 64,
      receiveSeconds: 30,
    },
    clock: systemClock,
    testing,
  }
  refuseExposed(config)
  return config
}

function refuseOwner(given: Given): void {
  const own = (['PARLEY_ORGANIZATION_NAME', 'PARLEY_OWNER_EMAIL', 'PARLEY_OWNER_NAME'] as const).find(
    (name) => given[name] !== undefined,
  )
  if (own === undefined) return
  throw new ConfigError(`${own} is for an organization that is no demo: set PARLEY_ORGANIZATION=empty`)
}

/** Options of embedded servers that are read like settings: a wrong value would fail much later, or silently. */
const READ_AS_SETTINGS = {
  dataFolder: 'PARLEY_DATA',
  port: 'PORT',
  host: 'HOST',
  publicUrl: 'PARLEY_PUBLIC_URL',
  secret: 'PARLEY_SECRET',
  organization: 'PARLEY_ORGANIZATION',
  corsOrigins: 'PARLEY_CORS_ORIGINS',
  logLevel: 'PARLEY_LOG_LEVEL',
  heartbeatSeconds: 'PARLEY_HEARTBEAT_SECONDS',
  metricsToken: 'PARLEY_METRICS_TOKEN',
  pushRelayUrl: 'PARLEY_PUSH_RELAY_URL',
  wireValues: 'PARLEY_WIRE_VALUES',
} as const

/**
 * Settings of a server inside another program or a test: defaults plus `changes`.
 *
 * @throws {ConfigError} naming the setting
 */
export function embeddedConfig(changes: Partial<Config> & Pick<Config, 'dataFolder'>): Config {
  const given: Given = {}
  const others: Record<string, unknown> = {}
  for (const [option, value] of Object.entries(changes)) {
    if (value === undefined) continue
    if (Object.hasOwn(READ_AS_SETTINGS, option))
      given[READ_AS_SETTINGS[option as keyof typeof READ_AS_SETTINGS]] = String(value)
    else others[option] = value
  }
  // A caller in JavaScript may pass anything.
  if (given.PARLEY_DATA === undefined) throw new ConfigError('embeddedConfig needs a dataFolder')
  const standard = readConfig(given)
  const unknown = Object.keys(others).find((option) => !Object.hasOwn(standard, option))
  if (unknown !== undefined) throw new ConfigError(`embeddedConfig has no option '${unknown}'`)
  const config: Config = { ...standard, ...others }
  refuseExposed(config)
  return config
}

/**
 * Settings that let every caller do everything are allowed only for servers that nobody else can reach.
 *
 * @throws {ConfigError} naming the setting
 */
export function refuseExposed({ host, trustProxy, hasDevelopmentLogin, testing }: Config): void {
  const open = testing !== 'off' ? 'PARLEY_TESTING' : hasDevelopmentLogin && 'PARLEY_DEVELOPMENT_LOGIN'
  if (!open || (isLoopback(host) && !trustProxy)) return
  throw new ConfigError(
    `${open} lets everybody who reaches the server do everything: it needs a loopback address as HOST, and no proxy`,
  )
}

function databaseOf(
  url: string | undefined,
  dataFolder: string,
  synchronous: 'FULL' | 'NORMAL' | 'OFF',
): DatabaseLocation {
  if (url === undefined) return { kind: 'sqlite', file: `${dataFolder}/parley.sqlite`, synchronous }
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length).replace(/^\/\//, '')
    if (file === '') throw new ConfigError('DATABASE_URL names no file: expected sqlite:FILE')
    if (file.startsWith(':memory:')) {
      throw new ConfigError(
        'DATABASE_URL is in memory: Parley reads and writes through several connections, so it needs sqlite:FILE',
      )
    }
    return { kind: 'sqlite', file, synchronous }
  }
  if (!URL.canParse(url) || /%(?![0-9a-f]{2})/i.test(url))
    throw new ConfigError('DATABASE_URL is not a URL: expected mysql://user:password@host:port/database')
  const { protocol, pathname, searchParams } = new URL(url)
  if (protocol !== 'mysql:' && protocol !== 'mariadb:') {
    throw new ConfigError(`DATABASE_URL begins with '${protocol}': expected mysql:, mariadb: or sqlite:`)
  }
  if (pathname.length < 2)
    throw new ConfigError('DATABASE_URL names no database: expected mysql://user:password@host:port/database')
  requireDatabaseOptions(searchParams)
  return { kind: 'mariadb', url: url.replace(/^mariadb:/, 'mysql:'), isExclusive: true }
}

/**
 * The driver ignores options that it does not know: with `ssl-mode=REQUIRED` it would send everything unencrypted.
 *
 * @throws {ConfigError}
 */
function requireDatabaseOptions(options: URLSearchParams): void {
  for (const [name, value] of options) {
    if (name === 'socketPath' || (name === 'ssl' && isJsonObject(value))) continue
    throw new ConfigError(
      `DATABASE_URL has the option '${name}' with a value that is not known: expected ssl={} (JSON, with options of Node's tls.connect) or socketPath=FILE`,
    )
  }
}

function isJsonObject(text: string): boolean {
  try {
    return /^\s*\{/.test(text) && JSON.parse(text) !== null
  } catch {
    return false
  }
}

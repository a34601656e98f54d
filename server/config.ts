import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import type { DatabaseLocation } from '../db/database.ts'
import type { UploadLimits } from '../domain/attachments/attachment.ts'
import type { Checked } from '../domain/checked.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import {
  DEFAULT_MAX_UPLOAD_MIB,
  DEFAULT_PARTIAL_SUBSCRIBERS_FROM,
  HEARTBEAT_BASE_SECONDS,
  MAX_EXPORTED_MESSAGES,
  MAX_ORGANIZATION_NAME_LENGTH,
  MIN_PARTIAL_SUBSCRIBERS,
} from '../domain/limits.ts'
import { isLongerThan } from '../domain/text/code-points.ts'
import { checkFullName, NOT_IN_NAMES } from '../domain/text/names.ts'
import { checkEmail } from '../domain/users/emails.ts'
import { WIRE_VALUES, type WireValues } from '../domain/wire-values.ts'
import type { AnswerLimits } from './answers.ts'
import type { BodyLimits } from './bodies.ts'
import { SERVER_COMMAND } from './command-names.ts'
import type { ConnectionLimits } from './connections.ts'
import { isLoopback } from './loopback.ts'
import { SETTINGS } from './settings.ts'
import type { TurnLimits } from './turns.ts'
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
  /** Folder of database, secret, uploads, exports and credentials. */
  readonly dataFolder: string
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
  /** Log work that blocks the event loop for longer than this; 0 turns that off. */
  readonly watchEventLoopMs: number
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

/** An invalid setting, explained to the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Variable = (typeof SETTINGS)[number]['variable']
type Given = Partial<Record<Variable, string>>

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
  if (unknown) {
    const { name, meant } = unknown
    const hint = meant === undefined ? '.' : `: ${meant} is meant?`
    throw new ConfigError(`${name} is no setting${hint} All settings: ${SERVER_COMMAND} --help`)
  }
  const given: Given = {}
  for (const { variable, flag } of SETTINGS) {
    const value = flags[flag] ?? environment[variable]
    if (value !== undefined && value !== '') given[variable] = value
  }
  return readConfig(given)
}

function readFlags(args: readonly string[]): Record<string, string | undefined> | 'help' {
  const options = Object.fromEntries(SETTINGS.map(({ flag }) => [flag, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({
      args: args.map(withBareValue),
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    return values.help ? 'help' : (values as Record<string, string | undefined>)
  } catch (err) {
    throw new ConfigError(`${(err as Error).message}. See ${SERVER_COMMAND} --help`)
  }
}

/** Gives a flag without a value the value that it then means. */
function withBareValue(arg: string, index: number, args: readonly string[]): string {
  const setting: ((typeof SETTINGS)[number] & { bare?: string }) | undefined = SETTINGS.find(
    ({ flag }) => arg === `--${flag}`,
  )
  const isBare = args[index + 1]?.startsWith('-') ?? true
  return isBare && setting?.bare !== undefined ? `${arg}=${setting.bare}` : arg
}

function readConfig(given: Given): Config {
  const dataFolder = given.PARLEY_DATA ?? './data'
  const secret = given.PARLEY_SECRET
  if (secret !== undefined && secret.length < 32) throw new ConfigError('PARLEY_SECRET has less than 32 characters')
  const testing = testingOf(given)
  return {
    port: number(given, 'PORT', 9991, 0, 65_535, true),
    host: host(given.HOST ?? '127.0.0.1'),
    database: databaseOf(given, dataFolder, testing !== 'off'),
    dataFolder,
    readyFile: given.PARLEY_READY_FILE,
    publicUrl: publicUrl(given.PARLEY_PUBLIC_URL),
    trustProxy: choice(given, 'PARLEY_TRUST_PROXY', ['off', 'on']) === 'on',
    secret,
    metricsToken: metricsToken(given.PARLEY_METRICS_TOKEN),
    ...organizationOf(given),
    rateLimits: choice(given, 'PARLEY_RATE_LIMITS', testing === 'off' ? ['on', 'off'] : ['off', 'on']) === 'on',
    corsOrigins: corsOrigins(given.PARLEY_CORS_ORIGINS ?? ''),
    checkAnswers: choice(given, 'PARLEY_CHECK_ANSWERS', ['off', 'on']) === 'on',
    watchEventLoopMs: number(given, 'PARLEY_WATCH_EVENT_LOOP_MS', 0, 0, 60_000, false),
    logLevel: choice(given, 'PARLEY_LOG_LEVEL', ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent']),
    ownerFullContentAccess: choice(given, 'PARLEY_OWNER_FULL_CONTENT_ACCESS', ['off', 'on']) === 'on',
    maxExportMessages: number(given, 'PARLEY_MAX_EXPORT_MESSAGES', MAX_EXPORTED_MESSAGES, 0, 1_000_000_000, true),
    pushRelayUrl: pushRelayUrl(given.PARLEY_PUSH_RELAY_URL),
    wireValues: choice(given, 'PARLEY_WIRE_VALUES', WIRE_VALUES),
    hasDevelopmentLogin: hasDevelopmentLogin(given),
    heartbeatSeconds: number(given, 'PARLEY_HEARTBEAT_SECONDS', HEARTBEAT_BASE_SECONDS, 0.05, 80, false),
    uploads: {
      maxFileMib: number(given, 'PARLEY_MAX_UPLOAD_MIB', DEFAULT_MAX_UPLOAD_MIB, 0, 10_240, true),
      quotaMib: given.PARLEY_UPLOAD_QUOTA_MIB === undefined ? null : quota(given),
    },
    partialSubscribersFrom: number(
      given,
      'PARLEY_PARTIAL_SUBSCRIBERS_FROM',
      DEFAULT_PARTIAL_SUBSCRIBERS_FROM,
      MIN_PARTIAL_SUBSCRIBERS,
      1_000_000_000,
      true,
    ),
    traffic: {
      connections: {
        all: number(given, 'PARLEY_MAX_CONNECTIONS', 10_000, 10, 1_000_000, true),
        perAddress: number(given, 'PARLEY_MAX_CONNECTIONS_PER_ADDRESS', 1000, 1, 1_000_000, true),
        perAccount: number(given, 'PARLEY_MAX_CONNECTIONS_PER_ACCOUNT', 1500, 1, 1_000_000, true),
      },
      requests: {
        all: number(given, 'PARLEY_MAX_REQUESTS', 64, 1, 100_000, true),
        perAccount: number(given, 'PARLEY_MAX_REQUESTS_PER_ACCOUNT', 8, 1, 100_000, true),
      },
      unreadMib: number(given, 'PARLEY_MAX_UNREAD_MIB', 64, 16, 100_000, true),
      stallSeconds: number(given, 'PARLEY_MAX_STALL_SECONDS', 60, 0.05, 3600, false),
      bodiesMib: number(given, 'PARLEY_MAX_BODIES_MIB', 64, 16, 100_000, true),
      receiveSeconds: number(given, 'PARLEY_MAX_RECEIVE_SECONDS', 30, 0.05, 3600, false),
    },
    clock: systemClock,
    testing,
  }
}

/** Undefined if no notifications are sent to devices. */
function pushRelayUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new ConfigError('PARLEY_PUSH_RELAY_URL is no http or https address without a query')
  }
  return url.href.replace(/\/$/, '')
}

/** Owner and name of a new organization. */
function organizationOf(given: Given): Pick<Config, 'organization' | 'organizationName' | 'owner'> {
  const organization = choice(given, 'PARLEY_ORGANIZATION', ['demo', 'empty'])
  if (organization === 'demo') {
    const own = (['PARLEY_ORGANIZATION_NAME', 'PARLEY_OWNER_EMAIL', 'PARLEY_OWNER_NAME'] as const).find(
      (name) => given[name] !== undefined,
    )
    if (own !== undefined)
      throw new ConfigError(`${own} is for an organization that is no demo: set PARLEY_ORGANIZATION=empty`)
  }
  const name = (given.PARLEY_ORGANIZATION_NAME ?? 'Parley').trim()
  if (name === '' || isLongerThan(name, MAX_ORGANIZATION_NAME_LENGTH) || NOT_IN_NAMES.test(name)) {
    throw new ConfigError(
      `PARLEY_ORGANIZATION_NAME is '${name}': expected 1 to ${MAX_ORGANIZATION_NAME_LENGTH} characters`,
    )
  }
  return {
    organization,
    organizationName: name,
    owner: {
      email: valid('PARLEY_OWNER_EMAIL', checkEmail(given.PARLEY_OWNER_EMAIL ?? 'owner@parley.example')),
      fullName: valid('PARLEY_OWNER_NAME', checkFullName(given.PARLEY_OWNER_NAME ?? 'Olivia Owner')),
    },
  }
}

function valid(variable: Variable, checked: Checked<string>): string {
  if (!checked.ok) throw new ConfigError(`${variable}: ${checked.message}`)
  return checked.value
}

function quota(given: Given): number {
  return number(given, 'PARLEY_UPLOAD_QUOTA_MIB', 0, 0, 1_000_000_000, true)
}

/** Settings of a server inside another program or a test: defaults plus `changes`. */
export function embeddedConfig(changes: Partial<Config> & Pick<Config, 'dataFolder'>): Config {
  return { ...readConfig({ PARLEY_DATA: changes.dataFolder }), ...changes }
}

/** @param values the first one is the default */
function choice<Value extends string>(given: Given, variable: Variable, values: readonly [Value, ...Value[]]): Value {
  const value = given[variable]
  if (value === undefined) return values[0]
  const found = values.find((one) => one === value)
  if (found === undefined) throw new ConfigError(`${variable} is '${value}': expected ${values.join(' or ')}`)
  return found
}

function number(
  given: Given,
  variable: Variable,
  standard: number,
  least: number,
  most: number,
  isInteger: boolean,
): number {
  const text = given[variable]
  if (text === undefined) return standard
  const value = Number(text)
  if (!Number.isFinite(value) || value < least || value > most || (isInteger && !Number.isInteger(value))) {
    throw new ConfigError(
      `${variable} is '${text}': expected ${isInteger ? 'a whole number' : 'a number'} from ${least} to ${most}`,
    )
  }
  return value
}

function host(value: string): string {
  if (isIP(value) === 0 && !/^[A-Za-z0-9.-]+$/.test(value))
    throw new ConfigError(`HOST is '${value}': expected an address or a name`)
  return value
}

function metricsToken(value: string | undefined): string | undefined {
  // The value is left out of the message, which may end up in a log.
  if (value !== undefined && !/^[!-~]{16,}$/.test(value))
    throw new ConfigError('PARLEY_METRICS_TOKEN: expected at least 16 characters of ASCII without spaces')
  return value
}

/** Settings that let every caller do everything are allowed only for servers that nobody else can reach. */
function requireLoopback(given: Given, variable: Variable): void {
  if (isLoopback(given.HOST ?? '127.0.0.1') && given.PARLEY_TRUST_PROXY !== 'on') return
  throw new ConfigError(
    `${variable} lets whoever reaches the server do everything: it needs a loopback address as HOST, and no proxy`,
  )
}

function hasDevelopmentLogin(given: Given): boolean {
  const isOn = choice(given, 'PARLEY_DEVELOPMENT_LOGIN', ['off', 'on']) === 'on'
  if (isOn) requireLoopback(given, 'PARLEY_DEVELOPMENT_LOGIN')
  return isOn
}

function testingOf(given: Given): Config['testing'] {
  const testing = choice(given, 'PARLEY_TESTING', ['off', 'on', 'again'])
  if (testing === 'off') return testing
  requireLoopback(given, 'PARLEY_TESTING')
  if (given.DATABASE_URL !== undefined) {
    throw new ConfigError('PARLEY_TESTING puts back the database in the data folder: unset DATABASE_URL')
  }
  return testing
}

function databaseOf(given: Given, dataFolder: string, isTesting: boolean): DatabaseLocation {
  const kept = choice(given, 'PARLEY_SQLITE_SYNCHRONOUS', ['FULL', 'NORMAL'])
  const synchronous = isTesting ? 'OFF' : kept
  const url = given.DATABASE_URL
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
  if (!URL.canParse(url))
    throw new ConfigError('DATABASE_URL is not a URL: expected mysql://user:password@host:port/database')
  const { protocol, pathname } = new URL(url)
  if (protocol !== 'mysql:' && protocol !== 'mariadb:') {
    throw new ConfigError(`DATABASE_URL begins with '${protocol}': expected mysql:, mariadb: or sqlite:`)
  }
  if (pathname.length < 2)
    throw new ConfigError('DATABASE_URL names no database: expected mysql://user:password@host:port/database')
  return { kind: 'mariadb', url: url.replace(/^mariadb:/, 'mysql:'), isExclusive: true }
}

function publicUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new ConfigError(`PARLEY_PUBLIC_URL is '${value}': expected a URL such as https://chat.example.com`)
  }
  return value.replace(/\/+$/, '')
}

function corsOrigins(value: string): string[] {
  const origins = value
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
  for (const origin of origins) {
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      throw new ConfigError(`PARLEY_CORS_ORIGINS has '${origin}': expected an origin such as https://app.example.com`)
    }
  }
  return origins
}

import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import type { DatabaseLocation } from '../db/database.ts'
import type { UploadLimits } from '../domain/attachment.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import { DEFAULT_MAX_UPLOAD_MIB, HEARTBEAT_BASE_SECONDS } from '../domain/limits.ts'
import { WIRE_VALUES, type WireValues } from '../domain/wire-values.ts'
import type { BodyLimits } from './bodies.ts'
import type { ConnectionLimits } from './connections.ts'

/** How much of what clients send and keep open there can be at the same time. */
interface TrafficLimits extends BodyLimits {
  readonly connections: ConnectionLimits
}

/** Everything that can be set, checked. Durations and sizes carry their unit in the name. */
export interface Config {
  /** 0 takes any free port. */
  readonly port: number
  readonly host: string
  readonly database: DatabaseLocation
  /** Database, secret, uploads, exports, credentials. */
  readonly dataFolder: string
  /** Absolute, without a slash at the end; undefined: http://host:port as it turns out. */
  readonly publicUrl: string | undefined
  /** Whether X-Forwarded-For is believed. */
  readonly trustProxy: boolean
  /** Undefined: kept in the data folder, made at the first start. */
  readonly secret: string | undefined
  readonly organization: 'demo' | 'empty'
  readonly rateLimits: boolean
  /** Origins of browsers' pages that may call; `*` for any. */
  readonly corsOrigins: readonly string[]
  readonly checkAnswers: boolean
  /** What holds the event loop for longer is logged; 0: nothing is watched. */
  readonly watchEventLoopMs: number
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly heartbeatSeconds: number
  readonly wireValues: WireValues
  readonly uploads: UploadLimits
  readonly traffic: TrafficLimits
  readonly clock: Clock
}

/** A setting that does not hold, in words for whoever set it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

interface Setting {
  /** Environment variable. */
  readonly variable: string
  /** Command-line flag, without the dashes. */
  readonly flag: string
  /** As it would be written. */
  readonly default: string
  readonly values: string
  readonly meaning: string
}

/** The one table of settings: `npm start -- --help` and README's table are made from it. */
export const SETTINGS = [
  {
    variable: 'PORT',
    flag: 'port',
    default: '9991',
    values: '0–65535',
    meaning: 'Port to listen on; 0 takes any free one.',
  },
  {
    variable: 'HOST',
    flag: 'host',
    default: '127.0.0.1',
    values: 'address or name',
    meaning: 'Address to listen on; 0.0.0.0 for all.',
  },
  {
    variable: 'DATABASE_URL',
    flag: 'database-url',
    default: '(SQLite in the data folder)',
    values: 'mysql://…, mariadb://… or sqlite:FILE',
    meaning: 'Where the data is. MariaDB 10.11 or newer; MySQL 8 is expected to work and untested.',
  },
  {
    variable: 'PARLEY_SQLITE_SYNCHRONOUS',
    flag: 'sqlite-synchronous',
    default: 'FULL',
    values: 'FULL, NORMAL',
    meaning:
      'FULL keeps every acknowledged message through a power failure; NORMAL only through a crash of the process.',
  },
  {
    variable: 'PARLEY_DATA',
    flag: 'data',
    default: './data',
    values: 'folder',
    meaning: 'Data folder: database, secret, uploads, exports, credentials. One process at a time.',
  },
  {
    variable: 'PARLEY_PUBLIC_URL',
    flag: 'public-url',
    default: '(http://HOST:PORT)',
    values: 'URL',
    meaning: 'Address at which clients reach the server.',
  },
  {
    variable: 'PARLEY_TRUST_PROXY',
    flag: 'trust-proxy',
    default: 'off',
    values: 'on, off',
    meaning: 'Whether a reverse proxy in front sets X-Forwarded-For.',
  },
  {
    variable: 'PARLEY_SECRET',
    flag: 'secret',
    default: '(made at the first start)',
    values: 'at least 32 characters',
    meaning: 'Key of all API keys. Without it the data folder keeps one.',
  },
  {
    variable: 'PARLEY_ORGANIZATION',
    flag: 'organization',
    default: 'demo',
    values: 'demo, empty',
    meaning: 'What the first start makes: people, channels and messages to try, or only an owner.',
  },
  {
    variable: 'PARLEY_RATE_LIMITS',
    flag: 'rate-limits',
    default: 'on',
    values: 'on, off',
    meaning: 'Limits on calls and failed log-ins; off for benchmarks only.',
  },
  {
    variable: 'PARLEY_CORS_ORIGINS',
    flag: 'cors-origins',
    default: '(none)',
    values: 'origins with commas, or *',
    meaning: 'Origins of web pages that may call the API.',
  },
  {
    variable: 'PARLEY_CHECK_ANSWERS',
    flag: 'check-answers',
    default: 'off',
    values: 'on, off',
    meaning: 'Check every answer and event against the contract; a mismatch fails. For development and tests.',
  },
  {
    variable: 'PARLEY_WATCH_EVENT_LOOP_MS',
    flag: 'watch-event-loop-ms',
    default: '0',
    values: '0–60000',
    meaning:
      'Log what keeps everybody waiting for more than so many milliseconds, by name; 0 for nothing. Slows the server down: for development and measuring.',
  },
  {
    variable: 'PARLEY_LOG_LEVEL',
    flag: 'log-level',
    default: 'info',
    values: 'fatal, error, warn, info, debug, trace, silent',
    meaning: 'Least important log lines to write.',
  },
  {
    variable: 'PARLEY_HEARTBEAT_SECONDS',
    flag: 'heartbeat-seconds',
    default: String(HEARTBEAT_BASE_SECONDS),
    values: '0.05–80',
    meaning: 'A waiting GET /events is answered with a heartbeat after this time and up to a fifth more.',
  },
  {
    variable: 'PARLEY_WIRE_VALUES',
    flag: 'wire-values',
    default: WIRE_VALUES[0],
    values: WIRE_VALUES.join(', '),
    meaning:
      'Whose word answers and events use for the few values that the contract and existing clients name differently. Both are understood.',
  },
  {
    variable: 'PARLEY_MAX_UPLOAD_MIB',
    flag: 'max-upload-mib',
    default: String(DEFAULT_MAX_UPLOAD_MIB),
    values: '0–10240',
    meaning: 'Largest file that can be uploaded, in MiB; 0 for no uploads.',
  },
  {
    variable: 'PARLEY_UPLOAD_QUOTA_MIB',
    flag: 'upload-quota-mib',
    default: '(none)',
    values: '0–1000000000',
    meaning: 'Room for all uploaded files together, in MiB.',
  },
  {
    variable: 'PARLEY_MAX_CONNECTIONS',
    flag: 'max-connections',
    default: '10000',
    values: '10–1000000',
    meaning:
      'Connections open at the same time. When there are more, the oldest one without credentials makes room. A program that waits for events has one.',
  },
  {
    variable: 'PARLEY_MAX_CONNECTIONS_PER_ADDRESS',
    flag: 'max-connections-per-address',
    default: '1000',
    values: '1–1000000',
    meaning:
      'The same for connections of one address on which nobody has shown credentials yet. Not counted with PARLEY_TRUST_PROXY: all are the proxy’s then.',
  },
  {
    variable: 'PARLEY_MAX_CONNECTIONS_PER_ACCOUNT',
    flag: 'max-connections-per-account',
    default: '1500',
    values: '1–1000000',
    meaning: 'Connections of one account at the same time.',
  },
  {
    variable: 'PARLEY_MAX_BODIES_MIB',
    flag: 'max-bodies-mib',
    default: '64',
    values: '16–100000',
    meaning:
      'Bodies of requests in memory at the same time, in MiB: of all accounts, and again of all addresses without credentials. One of them may have an eighth of what is free.',
  },
  {
    variable: 'PARLEY_MAX_RECEIVE_SECONDS',
    flag: 'max-receive-seconds',
    default: '30',
    values: '0.05–3600',
    meaning:
      'What the headers of a request may take to arrive, and what its form may take after them. A file gets another second for every 16 KiB.',
  },
] as const satisfies readonly Setting[]

type Variable = (typeof SETTINGS)[number]['variable']
type Given = Partial<Record<Variable, string>>

export function helpText(): string {
  const lines = SETTINGS.map(({ variable, flag, default: standard, values, meaning }) => {
    return `  --${flag} (${variable})\n      ${meaning}\n      Values: ${values}. Default: ${standard}.`
  })
  return `Usage: npm start -- [flags]\n\nEvery setting has an environment variable and a flag; the flag wins.\n\n${lines.join('\n')}\n`
}

/**
 * Settings from the environment and the command line, checked.
 * @returns 'help' when that was asked for
 * @throws {ConfigError} naming the setting that does not hold
 */
export function configFrom(environment: NodeJS.ProcessEnv, args: readonly string[]): Config | 'help' {
  const flags = readFlags(args)
  if (flags === 'help') return 'help'
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
    const { values } = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } })
    return values.help ? 'help' : (values as Record<string, string | undefined>)
  } catch (err) {
    throw new ConfigError(`${(err as Error).message}. See npm start -- --help`)
  }
}

function readConfig(given: Given): Config {
  const dataFolder = given.PARLEY_DATA ?? './data'
  const secret = given.PARLEY_SECRET
  if (secret !== undefined && secret.length < 32) throw new ConfigError('PARLEY_SECRET has less than 32 characters')
  return {
    port: number(given, 'PORT', 9991, 0, 65_535, true),
    host: host(given.HOST ?? '127.0.0.1'),
    database: databaseOf(given, dataFolder),
    dataFolder,
    publicUrl: publicUrl(given.PARLEY_PUBLIC_URL),
    trustProxy: choice(given, 'PARLEY_TRUST_PROXY', ['off', 'on']) === 'on',
    secret,
    organization: choice(given, 'PARLEY_ORGANIZATION', ['demo', 'empty']),
    rateLimits: choice(given, 'PARLEY_RATE_LIMITS', ['on', 'off']) === 'on',
    corsOrigins: corsOrigins(given.PARLEY_CORS_ORIGINS ?? ''),
    checkAnswers: choice(given, 'PARLEY_CHECK_ANSWERS', ['off', 'on']) === 'on',
    watchEventLoopMs: number(given, 'PARLEY_WATCH_EVENT_LOOP_MS', 0, 0, 60_000, false),
    logLevel: choice(given, 'PARLEY_LOG_LEVEL', ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent']),
    wireValues: choice(given, 'PARLEY_WIRE_VALUES', WIRE_VALUES),
    heartbeatSeconds: number(given, 'PARLEY_HEARTBEAT_SECONDS', HEARTBEAT_BASE_SECONDS, 0.05, 80, false),
    uploads: {
      maxFileMib: number(given, 'PARLEY_MAX_UPLOAD_MIB', DEFAULT_MAX_UPLOAD_MIB, 0, 10_240, true),
      quotaMib: given.PARLEY_UPLOAD_QUOTA_MIB === undefined ? null : quota(given),
    },
    traffic: {
      connections: {
        all: number(given, 'PARLEY_MAX_CONNECTIONS', 10_000, 10, 1_000_000, true),
        perAddress: number(given, 'PARLEY_MAX_CONNECTIONS_PER_ADDRESS', 1000, 1, 1_000_000, true),
        perAccount: number(given, 'PARLEY_MAX_CONNECTIONS_PER_ACCOUNT', 1500, 1, 1_000_000, true),
      },
      bodiesMib: number(given, 'PARLEY_MAX_BODIES_MIB', 64, 16, 100_000, true),
      receiveSeconds: number(given, 'PARLEY_MAX_RECEIVE_SECONDS', 30, 0.05, 3600, false),
    },
    clock: systemClock,
  }
}

function quota(given: Given): number {
  return number(given, 'PARLEY_UPLOAD_QUOTA_MIB', 0, 0, 1_000_000_000, true)
}

/** The settings of a server inside another program or a test: defaults, with what differs. */
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

function databaseOf(given: Given, dataFolder: string): DatabaseLocation {
  const synchronous = choice(given, 'PARLEY_SQLITE_SYNCHRONOUS', ['FULL', 'NORMAL'])
  const url = given.DATABASE_URL
  if (url === undefined) return { kind: 'sqlite', file: `${dataFolder}/parley.sqlite`, synchronous }
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length).replace(/^\/\//, '')
    if (file === '') throw new ConfigError('DATABASE_URL names no file: expected sqlite:FILE')
    return { kind: 'sqlite', file, synchronous }
  }
  if (!URL.canParse(url))
    throw new ConfigError('DATABASE_URL is no URL: expected mysql://user:password@host:port/database')
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

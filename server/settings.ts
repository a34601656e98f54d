import { isIP, isIPv6 } from 'node:net'
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
import { WIRE_VALUES } from '../domain/wire-values.ts'

/** An invalid setting, explained to the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

interface Setting<Value> {
  /** The default in the form of the documentation. */
  readonly default: string
  readonly values: string
  readonly meaning: string
  /** The value if nothing is given. */
  readonly standard: Value
  /** @throws {ConfigError} naming the variable, and what is expected */
  read(text: string, variable: string): Value
}

/** The URL of a listener. In URLs an IPv6 address has brackets, and no zone. */
export function urlAt(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host.replace(/%.*$/, '')}]` : host}:${port}`
}

const MOST = 1_000_000_000
const NONE = '(none)'
export const MIN_SECRET_LENGTH = 32

function number(standard: number, least: number, most: number, meaning: string, kind = 'a number'): Setting<number> {
  return {
    default: String(standard),
    values: `${least}–${most}`,
    meaning,
    standard,
    read(text, variable) {
      const value = Number(text)
      const isKind = kind === 'a number' ? Number.isFinite(value) : Number.isInteger(value)
      if (isKind && value >= least && value <= most) return value
      throw new ConfigError(`${variable} is '${text}': expected ${kind} from ${least} to ${most}`)
    },
  }
}

function whole(standard: number, least: number, most: number, meaning: string): Setting<number> {
  return number(standard, least, most, meaning, 'a whole number')
}

/** @param values the first one is the default */
function choice<const Value extends string>(
  values: readonly [Value, ...Value[]],
  meaning: string,
  documented = values.join(', '),
): Setting<Value> {
  return {
    default: values[0],
    values: documented,
    meaning,
    standard: values[0],
    read(text, variable) {
      const found = values.find((one) => one === text)
      if (found !== undefined) return found
      throw new ConfigError(`${variable} is '${text}': expected ${values.join(' or ')}`)
    },
  }
}

function switchedOff(meaning: string): Setting<boolean> {
  const { read, ...rest } = choice(['off', 'on'], meaning, 'on, off')
  return { ...rest, standard: false, read: (text, variable) => read(text, variable) === 'on' }
}

/** A text, which `read` checks and returns in its final form. */
function text<Standard>(
  [documented, standard]: readonly [documented: string, standard: Standard],
  values: string,
  meaning: string,
  read: (text: string, variable: string) => string = (given) => given,
): Setting<string | Standard> {
  return { default: documented, values, meaning, standard, read }
}

/** @param check throws errors that do not name the variable */
const naming =
  (check: (text: string) => string) =>
  (given: string, variable: string): string => {
    try {
      return check(given)
    } catch (err) {
      throw new ConfigError(`${variable}: ${(err as Error).message}`)
    }
  }

const settings = {
  PORT: whole(9991, 0, 65_535, 'Port to listen on; 0 takes any free one.'),
  HOST: text(['127.0.0.1', '127.0.0.1'], 'address or name', 'Address to listen on; 0.0.0.0 for all.', (given) => {
    if ((isIP(given) !== 0 || /^[A-Za-z0-9.-]+$/.test(given)) && URL.canParse(urlAt(given, 0))) return given
    throw new ConfigError(`HOST is '${given}': expected an address or a name`)
  }),
  DATABASE_URL: text(
    ['(SQLite in the data folder)', undefined],
    'mysql://…, mariadb://… or sqlite:FILE',
    'Database of the server: MariaDB 10.11 or newer (not MySQL), or SQLite. With `?ssl={}` at its end the connection is encrypted, and the certificate checked.',
  ),
  PARLEY_SQLITE_SYNCHRONOUS: choice(
    ['FULL', 'NORMAL'],
    'FULL keeps every acknowledged message through a power failure; NORMAL only through a crash of the process.',
  ),
  PARLEY_DATA: text(
    ['./data', './data'],
    'folder',
    'Data folder: database, secret, uploads, exports, credentials. One process at a time.',
  ),
  PARLEY_UPLOADS: text(
    ['(the data folder)', undefined],
    'folder',
    'Folder of uploads and exports. Processes that share a database must share it, too; other organizations must not.',
  ),
  PARLEY_READY_FILE: text(
    [NONE, undefined],
    'file',
    'Gets one line of JSON when the server answers: url, pid, and credentials of the accounts made at the first start; removed when the server stops. For programs.',
  ),
  PARLEY_PUBLIC_URL: text(
    ['(http://HOST:PORT)', undefined],
    'URL',
    'Address at which clients reach the server, without a path.',
    (given) => {
      if (/^https?:\/\/[^/?#@]+\/*$/.test(given) && URL.canParse(given)) return given.replace(/\/+$/, '')
      const expected = 'expected a URL without a path, such as https://chat.example.com'
      throw new ConfigError(`PARLEY_PUBLIC_URL is '${given}': ${expected}`)
    },
  ),
  PARLEY_TRUST_PROXY: switchedOff('Whether a reverse proxy in front sets X-Forwarded-For.'),
  PARLEY_SECRET: text(
    ['(made at the first start)', undefined],
    `at least ${MIN_SECRET_LENGTH} characters`,
    'Key that encrypts all API keys. Without it the server makes one and keeps it in the data folder.',
    (given) => {
      if (given.length >= MIN_SECRET_LENGTH && given.trim() !== '') return given
      throw new ConfigError(`PARLEY_SECRET has less than ${MIN_SECRET_LENGTH} characters`)
    },
  ),
  PARLEY_METRICS_TOKEN: text(
    [NONE, undefined],
    'at least 16 characters without spaces',
    'Readers of /metrics send it as Authorization: Bearer …. Without it, only programs on this machine can read /metrics, by a loopback address, and only if HOST is a loopback address and PARLEY_TRUST_PROXY is off.',
    (given) => {
      if (/^[!-~]{16,}$/.test(given)) return given
      // The value is left out of the message, which may end up in a log.
      throw new ConfigError('PARLEY_METRICS_TOKEN: expected at least 16 characters of ASCII without spaces')
    },
  ),
  PARLEY_ORGANIZATION: choice(
    ['demo', 'empty'],
    'What the first start creates: users, channels and messages to try, or only an owner.',
  ),
  PARLEY_ORGANIZATION_NAME: text(
    ['Parley', 'Parley'],
    'up to 40 characters',
    'Name of the organization that the first start creates, unless it is the demo.',
    (given) => {
      const name = given.trim()
      if (name !== '' && !isLongerThan(name, MAX_ORGANIZATION_NAME_LENGTH) && !NOT_IN_NAMES.test(name)) return name
      const expected = `expected 1 to ${MAX_ORGANIZATION_NAME_LENGTH} characters`
      throw new ConfigError(`PARLEY_ORGANIZATION_NAME is '${name}': ${expected}`)
    },
  ),
  PARLEY_OWNER_EMAIL: text(
    ['owner@parley.example', 'owner@parley.example'],
    'address',
    'E-mail address with which the owner of that organization logs in.',
    naming(checkEmail),
  ),
  PARLEY_OWNER_NAME: text(
    ['Olivia Owner', 'Olivia Owner'],
    '2 to 100 characters',
    'Name of that owner.',
    naming(checkFullName),
  ),
  PARLEY_RATE_LIMITS: choice(['on', 'off'], 'Limits on calls and failed log-ins; off for benchmarks only.'),
  PARLEY_CORS_ORIGINS: text(
    [NONE, ''],
    'origins with commas, or *',
    'Origins of web pages that may call the API.',
    (given) => {
      const wrong = originsIn(given).find(
        (origin) => origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin),
      )
      if (wrong === undefined) return given
      throw new ConfigError(`PARLEY_CORS_ORIGINS has '${wrong}': expected an origin such as https://app.example.com`)
    },
  ),
  PARLEY_CHECK_ANSWERS: switchedOff(
    'Check every answer and event against the contract; a mismatch fails. For development and tests.',
  ),
  PARLEY_LOG_LEVEL: choice(
    ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent'],
    'Least important log lines to write.',
    'fatal, error, warn, info, debug, trace, silent',
  ),
  PARLEY_HEARTBEAT_SECONDS: number(
    HEARTBEAT_BASE_SECONDS,
    0.05,
    // With a fifth more it is less than LONG_POLL_TIMEOUT_SECONDS, after which clients give up.
    74,
    'A waiting GET /events is answered with a heartbeat after this time and up to a fifth more.',
  ),
  PARLEY_OWNER_FULL_CONTENT_ACCESS: switchedOff(
    'Whether administrators may export private data without the consent of its owners (docs/export.md).',
  ),
  PARLEY_MAX_EXPORT_MESSAGES: whole(
    MAX_EXPORTED_MESSAGES,
    0,
    MOST,
    'Number of messages up to which administrators may export the organization themselves (docs/export.md).',
  ),
  PARLEY_PUSH_RELAY_URL: text(
    [NONE, undefined],
    'http or https address without a password',
    'Service that delivers notifications to mobile devices (docs/push.md). Without it, none are sent.',
    (given) => {
      const url = URL.parse(given)
      const hasMore = url && [url.search, url.hash, url.username, url.password].some((part) => part !== '')
      if (url && ['http:', 'https:'].includes(url.protocol) && !hasMore) return url.href.replace(/\/$/, '')
      throw new ConfigError('PARLEY_PUSH_RELAY_URL: expected an http or https address without a password and a query')
    },
  ),
  PARLEY_DEVELOPMENT_LOGIN: switchedOff(
    'Only for development: POST /dev_fetch_api_key gives the key of any account to any program on this machine that uses a loopback address. Requires a loopback address as HOST, and no proxy.',
  ),
  PARLEY_WIRE_VALUES: choice(
    WIRE_VALUES,
    'Which name answers and events use for the few values that the contract and existing clients name differently. Requests may use either.',
  ),
  PARLEY_MAX_UPLOAD_MIB: whole(
    DEFAULT_MAX_UPLOAD_MIB,
    0,
    10_240,
    'Largest file that can be uploaded, in MiB; 0 for no uploads.',
  ),
  PARLEY_UPLOAD_QUOTA_MIB: {
    ...whole(
      0,
      0,
      MOST,
      'Space for all uploads together, in MiB. A user who is not an administrator may take at most an eighth of the free space.',
    ),
    default: NONE,
    standard: null,
  } as Setting<number | null>,
  PARLEY_PARTIAL_SUBSCRIBERS_FROM: whole(
    DEFAULT_PARTIAL_SUBSCRIBERS_FROM,
    MIN_PARTIAL_SUBSCRIBERS,
    MOST,
    'Number of subscribers from which on a client that asks for partial lists gets bots and users active within 14 days only. Below 250 the API promises all.',
  ),
  PARLEY_MAX_CONNECTIONS: whole(
    10_000,
    10,
    1_000_000,
    'Maximum number of open connections. If there are more, the oldest one without credentials is closed. A client that waits for events takes one.',
  ),
  PARLEY_MAX_CONNECTIONS_PER_ADDRESS: whole(
    1000,
    1,
    1_000_000,
    'The same for connections of one address that have not sent credentials yet. Not counted with PARLEY_TRUST_PROXY, because all of them are the proxy’s.',
  ),
  PARLEY_MAX_CONNECTIONS_PER_ACCOUNT: whole(1500, 1, 1_000_000, 'Maximum number of open connections of one account.'),
  PARLEY_TESTING: choice(
    ['off', 'on', 'again'],
    'Only for tests of clients: anybody who reaches the server can move its clock, make calls fail and reset everything, under /testing. Only on a loopback address, with SQLite and without `PARLEY_UPLOADS`; data may be lost. `again` keeps the state that reset restores.',
    'on, off, again',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>

export type Variable = keyof typeof settings
/** Settings as the operator wrote them, by variable. */
export type Given = Partial<Record<Variable, string>>
type Values = { readonly [Name in Variable]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never }

/** All settings by variable and command-line flag: `--help` and the table of docs/settings.md are made of them. */
export const SETTINGS = (Object.entries(settings) as [Variable, Setting<unknown>][]).map(([variable, setting]) => ({
  ...setting,
  variable,
  flag: variable.replace('PARLEY_', '').toLowerCase().replaceAll('_', '-'),
}))

/** @throws {ConfigError} naming the first wrong one */
export function valuesOf(given: Given): Values {
  const values = SETTINGS.map(({ variable, standard, read }) => {
    const text = given[variable]
    return [variable, text === undefined ? standard : read(text, variable)]
  })
  return Object.fromEntries(values) as Values
}

/** The origins of a text with commas. */
export function originsIn(given: string): string[] {
  return given
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
}

import { DEFAULT_MAX_UPLOAD_MIB, HEARTBEAT_BASE_SECONDS } from '../domain/limits.ts'
import { WIRE_VALUES } from '../domain/wire-values.ts'

interface Setting {
  /** Environment variable. */
  readonly variable: string
  /** Command-line flag, without the dashes. */
  readonly flag: string
  /** As typed by the operator. */
  readonly default: string
  readonly values: string
  /** What the flag means without a value; absent if it needs one. */
  readonly bare?: string
  readonly meaning: string
}

/** All settings: `npm start -- --help` and README's table are made from this table. */
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
    variable: 'PARLEY_READY_FILE',
    flag: 'ready-file',
    default: '(none)',
    values: 'file',
    meaning:
      'Gets one line of JSON when the server answers: url, pid, and credentials of the accounts made at the first start. For programs.',
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
    variable: 'PARLEY_METRICS_TOKEN',
    flag: 'metrics-token',
    default: '(none)',
    values: 'at least 16 characters without spaces',
    meaning:
      'Whoever reads /metrics sends it as Authorization: Bearer …. Without it, /metrics is there only where HOST is a loopback address and PARLEY_TRUST_PROXY is off, for programs on this machine that name it by a loopback address.',
  },
  {
    variable: 'PARLEY_ORGANIZATION',
    flag: 'organization',
    default: 'demo',
    values: 'demo, empty',
    meaning: 'What the first start makes: people, channels and messages to try, or only an owner.',
  },
  {
    variable: 'PARLEY_ORGANIZATION_NAME',
    flag: 'organization-name',
    default: 'Parley',
    values: 'up to 40 characters',
    meaning: 'Name that the first start gives to an organization that is no demo.',
  },
  {
    variable: 'PARLEY_OWNER_EMAIL',
    flag: 'owner-email',
    default: 'owner@parley.example',
    values: 'address',
    meaning: 'Address with which the owner of such an organization logs in.',
  },
  {
    variable: 'PARLEY_OWNER_NAME',
    flag: 'owner-name',
    default: 'Olivia Owner',
    values: '2 to 100 characters',
    meaning: 'Name of that owner.',
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
      'Log what keeps everybody waiting for more than this many milliseconds, by name; 0 logs nothing. Slows the server down: for development and measuring.',
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
    variable: 'PARLEY_OWNER_FULL_CONTENT_ACCESS',
    flag: 'owner-full-content-access',
    default: 'off',
    values: 'on, off',
    meaning:
      'Whether administrators may export what is private without the consent of those whose it is (docs/export.md).',
  },
  {
    variable: 'PARLEY_MAX_EXPORT_MESSAGES',
    flag: 'max-export-messages',
    default: '250000',
    values: '0–1000000000',
    meaning: 'Messages of an organization whose administrators may export its data themselves (docs/export.md).',
  },
  {
    variable: 'PARLEY_PUSH_RELAY_URL',
    flag: 'push-relay-url',
    default: '(none)',
    values: 'http or https address',
    meaning: 'The service that brings notifications to mobile devices (docs/push.md); without one none leave.',
  },
  {
    variable: 'PARLEY_DEVELOPMENT_LOGIN',
    flag: 'development-login',
    default: 'off',
    values: 'on, off',
    meaning:
      'For development alone: POST /dev_fetch_api_key gives the key of any account to any program on this machine that names it by a loopback address. Only on a loopback address, without a proxy.',
  },
  {
    variable: 'PARLEY_WIRE_VALUES',
    flag: 'wire-values',
    default: WIRE_VALUES[0],
    values: WIRE_VALUES.join(', '),
    meaning:
      'Whose word answers and events use for the few values that the contract and existing clients name differently. Requests may use either.',
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
    meaning:
      'Room for all uploaded files together, in MiB. Somebody who is no administrator has an eighth of what is free at most.',
  },
  {
    variable: 'PARLEY_PARTIAL_SUBSCRIBERS_FROM',
    flag: 'partial-subscribers-from',
    default: '1000',
    values: '250–1000000000',
    meaning:
      'From so many subscribers on, a client that asks for a part of a channel’s subscribers gets those who were active within 14 days, and bots. Below 250 the API promises all.',
  },
  {
    variable: 'PARLEY_MAX_CONNECTIONS',
    flag: 'max-connections',
    default: '10000',
    values: '10–1000000',
    meaning:
      'Connections open at the same time. When there are more, the oldest one without credentials makes room. A program that waits for events takes one.',
  },
  {
    variable: 'PARLEY_MAX_CONNECTIONS_PER_ADDRESS',
    flag: 'max-connections-per-address',
    default: '1000',
    values: '1–1000000',
    meaning:
      'The same for connections of one address on which nobody has shown credentials yet. Not counted with PARLEY_TRUST_PROXY, because all of them are the proxy’s then.',
  },
  {
    variable: 'PARLEY_MAX_CONNECTIONS_PER_ACCOUNT',
    flag: 'max-connections-per-account',
    default: '1500',
    values: '1–1000000',
    meaning: 'Connections of one account at the same time.',
  },
  {
    variable: 'PARLEY_MAX_REQUESTS',
    flag: 'max-requests',
    default: '64',
    values: '1–100000',
    meaning:
      'Requests that are worked on at the same time; the rest wait, and accounts take turns. Waiting polls do not count.',
  },
  {
    variable: 'PARLEY_MAX_REQUESTS_PER_ACCOUNT',
    flag: 'max-requests-per-account',
    default: '8',
    values: '1–100000',
    meaning:
      'The same for one account, or one address without credentials: one at first, more after small answers, one again after a large one.',
  },
  {
    variable: 'PARLEY_MAX_UNREAD_MIB',
    flag: 'max-unread-mib',
    default: '64',
    values: '16–100000',
    meaning:
      'Answers in memory that clients have not taken yet, in MiB. An account that has more than an eighth of what is free waits with its next request.',
  },
  {
    variable: 'PARLEY_MAX_STALL_SECONDS',
    flag: 'max-stall-seconds',
    default: '60',
    values: '0.05–3600',
    meaning: 'A client that takes nothing of a larger answer for this long loses its connection.',
  },
  {
    variable: 'PARLEY_MAX_BODIES_MIB',
    flag: 'max-bodies-mib',
    default: '64',
    values: '16–100000',
    meaning:
      'Bodies of requests in memory at the same time, in MiB: of all accounts, and again of all addresses without credentials. Each may have an eighth of what is free.',
  },
  {
    variable: 'PARLEY_MAX_RECEIVE_SECONDS',
    flag: 'max-receive-seconds',
    default: '30',
    values: '0.05–3600',
    meaning:
      'How long the headers of a request may take to arrive, and then its form. A file gets another second for every 16 KiB.',
  },
  {
    variable: 'PARLEY_TESTING',
    flag: 'testing',
    default: 'off',
    values: 'on, off, again',
    bare: 'on',
    meaning:
      'For tests of clients alone: whoever reaches the server moves its clock, lets calls fail and puts everything back, under /testing. Only on a loopback address, with SQLite; what is written may be lost. `again` keeps what reset goes back to.',
  },
] as const satisfies readonly Setting[]

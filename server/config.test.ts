import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { environmentWithoutSettings } from '../conformance/environment-testing.ts'
import { type Config, configFrom, embeddedConfig, helpText, publicUrlOf } from './config.ts'
import { ConfigError, SETTINGS } from './settings.ts'

function read(environment: Record<string, string> = {}, args: readonly string[] = []): Config {
  const config = configFrom(environment, args)
  assert.ok(config !== 'help')
  return config
}

test('defaults: local, SQLite with FULL, a demo organization, limits on', () => {
  const { clock, ...config } = read()
  assert.ok(Math.abs(clock.now() - Date.now()) < 1000)
  assert.deepEqual(config, {
    port: 9991,
    host: '127.0.0.1',
    database: { kind: 'sqlite', file: './data/parley.sqlite', synchronous: 'FULL' },
    dataFolder: './data',
    filesFolder: './data',
    readyFile: undefined,
    publicUrl: undefined,
    ownerFullContentAccess: false,
    maxExportMessages: 250_000,
    pushRelayUrl: undefined,
    trustProxy: false,
    secret: undefined,
    metricsToken: undefined,
    organization: 'demo',
    organizationName: 'Parley',
    owner: { email: 'owner@parley.example', fullName: 'Olivia Owner' },
    rateLimits: true,
    corsOrigins: [],
    checkAnswers: false,
    testing: 'off',
    logLevel: 'info',
    wireValues: 'contract',
    hasDevelopmentLogin: false,
    heartbeatSeconds: 45,
    uploads: { maxFileMib: 25, quotaMib: null },
    partialSubscribersFrom: 1000,
    traffic: TRAFFIC,
  })
})

const TRAFFIC = {
  connections: { all: 10_000, perAddress: 1000, perAccount: 1500 },
  requests: { all: 64, perAccount: 8 },
  unreadMib: 64,
  stallSeconds: 60,
  bodiesMib: 64,
  receiveSeconds: 30,
}
const connections = (changes: Partial<typeof TRAFFIC.connections>) => ({
  ...TRAFFIC,
  connections: { ...TRAFFIC.connections, ...changes },
})

/** A valid and an invalid value for each variable. */
const VALUES: Record<
  (typeof SETTINGS)[number]['variable'],
  [good: string, field: keyof Config, value: unknown, bad: string]
> = {
  PORT: ['0', 'port', 0, '65536'],
  HOST: ['::1', 'host', '::1', 'not a host'],
  DATABASE_URL: [
    'mariadb://u:p@db:3306/parley',
    'database',
    { kind: 'mariadb', url: 'mysql://u:p@db:3306/parley', isExclusive: true },
    'postgres://x/y',
  ],
  PARLEY_SQLITE_SYNCHRONOUS: [
    'NORMAL',
    'database',
    { kind: 'sqlite', file: './data/parley.sqlite', synchronous: 'NORMAL' },
    'OFF',
  ],
  PARLEY_DATA: ['/srv/parley', 'dataFolder', '/srv/parley', ''],
  PARLEY_UPLOADS: ['/srv/files', 'filesFolder', '/srv/files', ''],
  PARLEY_PUBLIC_URL: ['https://chat.example.com/', 'publicUrl', 'https://chat.example.com', 'chat.example.com'],
  PARLEY_TRUST_PROXY: ['on', 'trustProxy', true, 'yes'],
  PARLEY_SECRET: ['s'.repeat(32), 'secret', 's'.repeat(32), 's'.repeat(31)],
  PARLEY_METRICS_TOKEN: ['m'.repeat(16), 'metricsToken', 'm'.repeat(16), 'm'.repeat(15)],
  PARLEY_ORGANIZATION: ['empty', 'organization', 'empty', 'full'],
  PARLEY_ORGANIZATION_NAME: ['Harbour', 'organizationName', 'Harbour', 'x'.repeat(41)],
  PARLEY_OWNER_EMAIL: [
    'ada@example.com',
    'owner',
    { email: 'ada@example.com', fullName: 'Olivia Owner' },
    'ada at example.com',
  ],
  PARLEY_OWNER_NAME: ['Ada', 'owner', { email: 'owner@parley.example', fullName: 'Ada' }, 'A'],
  PARLEY_RATE_LIMITS: ['off', 'rateLimits', false, 'false'],
  PARLEY_CORS_ORIGINS: [
    'https://a.example, http://localhost:5173',
    'corsOrigins',
    ['https://a.example', 'http://localhost:5173'],
    'https://a.example/',
  ],
  PARLEY_CHECK_ANSWERS: ['on', 'checkAnswers', true, '1'],
  PARLEY_READY_FILE: ['ready.json', 'readyFile', 'ready.json', ''],
  PARLEY_LOG_LEVEL: ['silent', 'logLevel', 'silent', 'loud'],
  PARLEY_HEARTBEAT_SECONDS: ['0.05', 'heartbeatSeconds', 0.05, '75'],
  PARLEY_OWNER_FULL_CONTENT_ACCESS: ['on', 'ownerFullContentAccess', true, 'yes'],
  PARLEY_MAX_EXPORT_MESSAGES: ['1000', 'maxExportMessages', 1000, '-1'],
  PARLEY_PUSH_RELAY_URL: [
    'https://push.example.com/relay/',
    'pushRelayUrl',
    'https://push.example.com/relay',
    'ftp://push.example.com',
  ],
  PARLEY_DEVELOPMENT_LOGIN: ['on', 'hasDevelopmentLogin', true, 'yes'],
  PARLEY_WIRE_VALUES: ['clients', 'wireValues', 'clients', 'zulip'],
  PARLEY_MAX_UPLOAD_MIB: ['100', 'uploads', { maxFileMib: 100, quotaMib: null }, '10241'],
  PARLEY_UPLOAD_QUOTA_MIB: ['5000', 'uploads', { maxFileMib: 25, quotaMib: 5000 }, '-1'],
  PARLEY_PARTIAL_SUBSCRIBERS_FROM: ['250', 'partialSubscribersFrom', 250, '249'],
  PARLEY_MAX_CONNECTIONS: ['10', 'traffic', connections({ all: 10 }), '9'],
  PARLEY_MAX_CONNECTIONS_PER_ADDRESS: ['1', 'traffic', connections({ perAddress: 1 }), '0'],
  PARLEY_MAX_CONNECTIONS_PER_ACCOUNT: ['1', 'traffic', connections({ perAccount: 1 }), '0'],
  PARLEY_TESTING: ['again', 'testing', 'again', 'yes'],
}

for (const { variable, flag } of SETTINGS) {
  const [good, field, value, bad] = VALUES[variable]
  test(`${variable} and --${flag}`, () => {
    // A demo has an owner of its own.
    const own = { PARLEY_ORGANIZATION: 'empty' }
    assert.deepEqual(read({ ...own, [variable]: good })[field], value)
    assert.deepEqual(read(own, [`--${flag}`, good])[field], value)
    assert.deepEqual(read(own, [`--${flag}=${good}`])[field], value)
    if (bad === '') return
    for (const refused of [() => read({ ...own, [variable]: bad }), () => read(own, [`--${flag}=${bad}`])]) {
      assert.throws(refused, (err: unknown) => err instanceof ConfigError && err.message.includes(variable))
    }
  })
}

test('a server without an address of its own has a URL', () => {
  for (const [HOST, url] of [
    ['127.0.0.1', 'http://127.0.0.1:9991'],
    ['::', 'http://[::]:9991'],
    ['fe80::1%eth0', 'http://[fe80::1]:9991'],
    ['localhost', 'http://localhost:9991'],
  ] as const) {
    assert.equal(publicUrlOf(read({ HOST })), url)
  }
  assert.throws(() => read({ HOST: '1.2.3.4.5' }), /^ConfigError: HOST is '1\.2\.3\.4\.5'/)
})

test('white space around values is removed, except for secrets', () => {
  const { port, publicUrl, dataFolder, uploads } = read({
    PORT: ' 80 ',
    PARLEY_PUBLIC_URL: 'http://x/ ',
    PARLEY_DATA: ' ',
    PARLEY_UPLOAD_QUOTA_MIB: ' ',
  })
  assert.deepEqual([port, publicUrl, dataFolder, uploads.quotaMib], [80, 'http://x', './data', null])
  const secret = `${'s'.repeat(31)} `
  assert.equal(read({ PARLEY_SECRET: secret }).secret, secret)
  assert.throws(() => read({ PARLEY_SECRET: ' '.repeat(40) }), /PARLEY_SECRET has less than 32/)
})

test('a flag takes precedence, and an empty variable is ignored', () => {
  assert.equal(read({ PORT: '1' }, ['--port', '2']).port, 2)
  assert.equal(read({ PORT: '' }).port, 9991)
})

test('a refusal says what is expected', () => {
  const refusals: [Record<string, string>, RegExp][] = [
    [{ PORT: '1.5' }, /^PORT is '1\.5': expected a whole number from 0 to 65535$/],
    [{ PORT: 'x' }, /^PORT is 'x': expected a whole number/],
    [{ PORT: '65536' }, /^PORT is '65536': expected .* 0 to 65535/],
    [{ HOST: 'not a host' }, /^HOST is 'not a host'/],
    [{ PARLEY_SECRET: 'short' }, /^PARLEY_SECRET has less than 32 characters/],
    [{ PARLEY_PUSH_RELAY_URL: 'http://me:pw@relay.example/' }, /^PARLEY_PUSH_RELAY_URL: .* without a password/],
    [{ PARLEY_ORGANIZATION: 'big' }, /^PARLEY_ORGANIZATION is 'big'/],
    [{ PARLEY_OWNER_EMAIL: 'ada@example.com' }, /^PARLEY_OWNER_EMAIL is for an organization that is no demo/],
    [{ PARLEY_TRUST_PROXY: 'yes' }, /expected off or on$/],
    [{ PARLEY_LOG_LEVEL: 'loud' }, /expected info or fatal or error/],
    [{ DATABASE_URL: 'x' }, /^DATABASE_URL is not a URL: expected mysql:\/\/user:password@host:port\/database$/],
    [{ DATABASE_URL: 'postgres://127.0.0.1/parley' }, /^DATABASE_URL begins with 'postgres:'/],
    [{ DATABASE_URL: 'mysql://root@127.0.0.1:3306' }, /^DATABASE_URL names no database/],
    [{ DATABASE_URL: 'sqlite:' }, /names no file/],
    [{ DATABASE_URL: 'sqlite::memory:' }, /in memory.*sqlite:FILE/],
    [{ PARLEY_PUBLIC_URL: 'ftp://x' }, /expected a URL without a path, such as https:\/\//],
    [{ PARLEY_PUBLIC_URL: 'chat' }, /^PARLEY_PUBLIC_URL/],
    [{ PARLEY_PUBLIC_URL: 'https://chat.example.com/?x=1' }, /^PARLEY_PUBLIC_URL/],
    [{ PARLEY_PUBLIC_URL: 'https://example.com/chat' }, /expected a URL without a path/],
    [{ DATABASE_URL: 'mysql://u:100%@h/d' }, /^DATABASE_URL is not a URL/],
    [{ DATABASE_URL: 'mysql://u:p@h/d?ssl-mode=REQUIRED' }, /^DATABASE_URL has the option 'ssl-mode'.*ssl=\{\}/],
    [{ DATABASE_URL: 'mysql://u:p@h/d?ssl=true' }, /^DATABASE_URL has the option 'ssl' .*ssl=\{\}/],
    [{ PARLEY_CORS_ORIGINS: 'nonsense' }, /expected an origin such as https:\/\//],
  ]
  for (const [environment, message] of refusals)
    assert.throws(() => read(environment), { name: 'ConfigError', message })
})

test('secrets and database passwords never appear in a refusal', () => {
  for (const environment of [
    { PARLEY_SECRET: 'hunter2' },
    { PARLEY_METRICS_TOKEN: 'hunter2' },
    { DATABASE_URL: 'postgres://u:hunter2@h/d' },
    { DATABASE_URL: 'mysql://u:hunter2@h' },
  ]) {
    assert.throws(
      () => read(environment),
      (err: Error) => !err.message.includes('hunter2'),
    )
  }
})

test('SQLite files by URL', () => {
  const file = (url: string) => read({ DATABASE_URL: url }).database
  assert.deepEqual(file('sqlite:/var/p.db'), { kind: 'sqlite', file: '/var/p.db', synchronous: 'FULL' })
  assert.deepEqual(file('sqlite:///var/p.db'), { kind: 'sqlite', file: '/var/p.db', synchronous: 'FULL' })
  assert.deepEqual(file('sqlite:p.db'), { kind: 'sqlite', file: 'p.db', synchronous: 'FULL' })
})

test('any origin, and several', () => {
  assert.deepEqual(read({ PARLEY_CORS_ORIGINS: '*' }).corsOrigins, ['*'])
  assert.deepEqual(read({ PARLEY_CORS_ORIGINS: ' , ' }).corsOrigins, [])
})

test('help lists every setting with its variable, values and default; unknown flags refer to it', () => {
  assert.equal(configFrom({}, ['--help']), 'help')
  assert.equal(configFrom({ PORT: 'nonsense' }, ['-h']), 'help')
  const help = helpText()
  for (const { variable, flag, default: standard, values, meaning } of SETTINGS) {
    assert.ok(help.includes(`--${flag} (${variable})\n      ${meaning}`), variable)
    assert.ok(help.includes(values) && help.includes(standard))
  }
  for (const args of [['--prot', '1'], ['extra'], ['--port']]) {
    assert.throws(() => read({}, args), { name: 'ConfigError', message: /--help/ })
  }
})

test('an embedded configuration does not read the environment', () => {
  process.env.PORT = '1'
  try {
    const config = embeddedConfig({ dataFolder: '/tmp/x' })
    assert.equal(config.port, 9991)
    assert.equal(embeddedConfig({ dataFolder: '/tmp/x', port: 7 }).port, 7)
  } finally {
    delete process.env.PORT
  }
})

test('options of an embedded server are checked like settings; undefined is ignored', () => {
  const config = (changes: object) => embeddedConfig({ dataFolder: '/tmp/x', ...changes })
  const { clock: _, ...standard } = config({})
  const { clock: __, ...same } = config({ port: undefined, organization: undefined, database: undefined })
  assert.deepEqual(same, standard)
  assert.equal(config({ publicUrl: 'http://h/' }).publicUrl, 'http://h')
  const origins = ['https://a.example', 'https://b.example']
  assert.deepEqual(config({ corsOrigins: origins }).corsOrigins, origins)
  const refusals: [object, RegExp][] = [
    [{ organization: 'Demo' }, /^PARLEY_ORGANIZATION is 'Demo'/],
    [{ publicUrl: 'chat.example.com' }, /^PARLEY_PUBLIC_URL/],
    [{ port: '80a' }, /^PORT is '80a'/],
    [{ secret: 'short' }, /^PARLEY_SECRET/],
    [{ heartbeatSeconds: 0 }, /^PARLEY_HEARTBEAT_SECONDS/],
    [{ corsOrigins: ['https://a/'] }, /^PARLEY_CORS_ORIGINS/],
    [{ metricsToken: '' }, /^PARLEY_METRICS_TOKEN/],
    [{ pushRelayUrl: 'relay.example' }, /^PARLEY_PUSH_RELAY_URL/],
    [{ wireValues: 'client' }, /^PARLEY_WIRE_VALUES is 'client'/],
    [{ databaseUrl: 'mariadb://x' }, /^embeddedConfig has no option 'databaseUrl'$/],
    [{ dataFolder: undefined }, /dataFolder/],
  ]
  for (const [changes, message] of refusals) assert.throws(() => config(changes), { name: 'ConfigError', message })
})

test('children of tests get the whole environment except for settings', () => {
  const machine = { HOME: '/home/x', HTTPS_PROXY: 'http://proxy', NODE_EXTRA_CA_CERTS: '/ca', npm_config_cache: '/c' }
  const own = Object.fromEntries(SETTINGS.map(({ variable }) => [variable, 'x']))
  assert.deepEqual(environmentWithoutSettings({ ...machine, ...own, PARLEY_TEST_PYTHON: 'x' }), machine)
})

describe('a server for tests', () => {
  test('starts without limits, without durability against power failures, and with a flag without value', () => {
    for (const args of [['--testing'], ['--testing', '--port', '1'], ['--testing', 'on']]) {
      const config = configFrom({}, args)
      assert.ok(config !== 'help')
      const { testing, rateLimits, database } = config
      assert.deepEqual([testing, rateLimits], ['on', false])
      assert.deepEqual(database, { kind: 'sqlite', file: './data/parley.sqlite', synchronous: 'OFF' })
    }
    assert.equal((configFrom({ PARLEY_RATE_LIMITS: 'on' }, ['--testing']) as Config).rateLimits, true)
  })

  test('refuses a database that it cannot restore', () => {
    const environment = { DATABASE_URL: 'mysql://u:p@db:3306/parley' }
    assert.throws(() => configFrom({ ...environment, PARLEY_TESTING: 'on' }, []), /DATABASE_URL/)
    assert.doesNotThrow(() => configFrom(environment, []))
  })

  test('refuses uploads that it cannot restore', () => {
    assert.throws(() => configFrom({ PARLEY_UPLOADS: '/srv/files', PARLEY_TESTING: 'on' }, []), /PARLEY_UPLOADS/)
  })
})

test('G7: settings that open everything are refused if others reach the server (SEC-HTTP-14)', () => {
  for (const variable of ['PARLEY_TESTING', 'PARLEY_DEVELOPMENT_LOGIN']) {
    for (const environment of [{ HOST: '0.0.0.0' }, { HOST: 'chat.example.com' }, { PARLEY_TRUST_PROXY: 'on' }]) {
      const refused = new RegExp(`${variable}.*loopback.*no proxy`)
      assert.throws(() => configFrom({ ...environment, [variable]: 'on' }, []), refused)
      assert.doesNotThrow(() => configFrom(environment, []))
    }
    for (const HOST of ['::1', 'localhost']) assert.doesNotThrow(() => configFrom({ HOST, [variable]: 'on' }, []))
  }
  for (const changes of [{ hasDevelopmentLogin: true }, { testing: 'on' }] as const) {
    const refused = { name: 'ConfigError', message: /loopback.*no proxy/ }
    assert.throws(() => embeddedConfig({ dataFolder: '/tmp/x', host: '0.0.0.0', ...changes }), refused)
    assert.throws(() => embeddedConfig({ dataFolder: '/tmp/x', trustProxy: true, ...changes }), refused)
    embeddedConfig({ dataFolder: '/tmp/x', ...changes })
  }
})

test('U10: an unknown variable with Parley’s prefix is refused', () => {
  const message = /^PARLEY_PUBLICURL is no setting\. All settings: .*--help$/
  assert.throws(() => read({ PARLEY_PUBLICURL: 'x' }), { name: 'ConfigError', message })
  read({ PARLEY_PUBLICURL: '' })
})

test('U10: variables of tests and tools, and of Kubernetes services, are ignored', () => {
  read({
    PARLEY_SEED: '1',
    PARLEY_TEST_MARIADB: 'x',
    PARLEY_SERVER: 'parley-server',
    OTHER: 'x',
  })
  read({
    PARLEY_SERVICE_HOST: '10.0.0.1',
    PARLEY_PORT: 'tcp://10.0.0.1:9991',
    PARLEY_PORT_9991_TCP: 'tcp://10.0.0.1:9991',
  })
})

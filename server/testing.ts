import '../secrets/cheap-passwords-testing.mjs'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fullOnly } from '../conformance/tier-testing.ts'
import { Database, type DatabaseLocation } from '../db/database.ts'
import type { Session } from '../db/session.ts'
import { systemClock } from '../domain/clock.ts'
import type { OrganizationSettings } from '../domain/organization/organization-settings.ts'
import { ApiClient, accountsOf } from './account-client-testing.ts'
import { type Config, embeddedConfig } from './config.ts'
import { createOpenParley, createParley, type OpenParley } from './create-parley.ts'
import type { DemoCredentials } from './first-start.ts'
import type { Parameters } from './stand-in/api-client.ts'

// biome-ignore lint/performance/noBarrelFile: what tests of servers use comes from here
export { ApiClient, accountsOf, type Heard } from './account-client-testing.ts'
export { type Answer, basic, type Parameters } from './stand-in/api-client.ts'

/** The databases that tests run on. MariaDB is there if `npm test` has started one. */
export const DIALECTS = ['sqlite', 'mariadb'] as const
export type Dialect = (typeof DIALECTS)[number]

/** Server of the tests' private MariaDB, such as mysql://root@127.0.0.1:4711. */
const MARIADB = process.env.PARLEY_TEST_MARIADB

/** Declares the tests of `body` for SQLite and, in test:full, for MariaDB. */
export function onEachDatabase(name: string, body: (dialect: Dialect) => void): void {
  suites(name, body, fullOnly)
}

/** Declares the tests of `body` for both databases in `npm test` too, because their SQL differs. */
export function onBothDatabases(name: string, body: (dialect: Dialect) => void): void {
  suites(name, body, false)
}

function suites(name: string, body: (dialect: Dialect) => void, skip: string | false): void {
  for (const dialect of DIALECTS) {
    const reason = dialect === 'sqlite' ? false : MARIADB === undefined ? 'no MariaDB on this machine' : skip
    if (reason === false) describe(`${name} (${dialect})`, () => body(dialect))
    else test(`${name} (${dialect})`, { skip: reason })
  }
}

/** A database for this test only, and a function that removes it. */
export async function emptyDatabase(
  dialect: Dialect,
): Promise<{ location: DatabaseLocation; remove(): Promise<void> }> {
  if (dialect === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
    return {
      location: { kind: 'sqlite', file: join(folder, 'parley.sqlite'), synchronous: 'NORMAL' },
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  }
  if (MARIADB === undefined) throw new Error('PARLEY_TEST_MARIADB is not set: run through npm test')
  const name = `parley_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} character set utf8mb4`)
  return {
    location: { kind: 'mariadb', url: `${MARIADB}/${name}` },
    remove: () => onServer(`drop database ${name}`),
  }
}

/** A database for this test only, open until the test ends. */
export async function openDatabase(
  t: { after(end: () => Promise<void>): void },
  dialect: Dialect,
): Promise<{ db: Database; location: DatabaseLocation }> {
  const { location, remove } = await emptyDatabase(dialect)
  const db = await Database.open(location, systemClock)
  t.after(async () => {
    await db.close()
    await remove()
  })
  return { db, location }
}

async function onServer(statement: string): Promise<void> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({ uri: `${MARIADB}/` })
  try {
    await connection.query(statement)
  } finally {
    await connection.end()
  }
}

/** Same as {@link emptyDatabase}, on SQLite with tables, because migrations take most of the time of a start. */
export async function migratedDatabase(dialect: Dialect): ReturnType<typeof emptyDatabase> {
  const { location, remove } = await emptyDatabase(dialect)
  if (location.kind === 'sqlite') {
    migratedFile ??= migrated()
    await writeFile(location.file, await migratedFile)
  }
  return { location, remove }
}

let migratedFile: Promise<Buffer> | undefined

async function migrated(): Promise<Buffer> {
  const { location, remove } = await emptyDatabase('sqlite')
  await (await Database.open(location, systemClock)).close()
  const bytes = await readFile(location.kind === 'sqlite' ? location.file : '')
  await remove()
  return bytes
}

/** Repeats `isSo` until it is true. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const start = performance.now(); !(await isSo()); await delay(5)) {
    if (performance.now() - start > 20_000) throw new Error('it did not happen')
  }
}

/** The value of a metric now. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  if (line === undefined) throw new Error(`/metrics does not tell ${name}:\n${text}`)
  return Number(line.slice(name.length + 1))
}

export interface TestServer {
  readonly parley: OpenParley
  readonly url: string
  readonly dataFolder: string
  readonly credentials: DemoCredentials
  /** Account of the demo organization: owner, admin, moderator, member, member2, guest or bot. */
  as(key: string): ApiClient
  /** A new member. */
  newUser(name?: string): Promise<ApiClient>
  /** A new bot of this account, generic unless told otherwise. */
  newBot(owner: ApiClient, more?: Parameters): Promise<ApiClient>
  /** A new channel of these people, made by the first. */
  newChannel(people: readonly ApiClient[], more?: Parameters): Promise<{ name: string; id: number }>
  /** A name that nothing else on this server has. */
  unique(prefix: string): string
  /** Changes rows without the server, to simulate passed time, or for settings without an operation. */
  inDatabase(change: (session: Session) => Promise<unknown>): Promise<void>
  stop(): Promise<void>
}

/** Reads or changes rows without a server. */
export async function inRows<T>(location: DatabaseLocation, work: (session: Session) => Promise<T>): Promise<T> {
  const db = await Database.open(location, systemClock)
  try {
    return await db.transaction((tx) => work(tx.session))
  } finally {
    await db.close()
  }
}

/**
 * A server for this test only, with every answer checked against the contract and rate limits off. New accounts have no
 * subscriptions, so that each test chooses them.
 *
 * @param settings of the organization, where they differ from the defaults
 */
export async function startParley(
  dialect: Dialect,
  changes: Partial<Config> = {},
  settings: Partial<OrganizationSettings> = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const { location, remove } = await migratedDatabase(dialect)
  const config = embeddedConfig({
    dataFolder: folder,
    database: location,
    checkAnswers: true,
    rateLimits: false,
    logLevel: 'error',
    ...changes,
  })
  if (Object.keys(settings).length > 0) {
    await (await createParley(config)).stop()
    await inRows(location, async (session) =>
      session.run('update organization set settings = ?', [JSON.stringify(settings)]),
    )
  }
  const parley = await createOpenParley(config)
  if (changes.database === undefined) {
    await parley.inside.db.transaction(async (tx) => tx.session.run('delete from default_channel', []))
  }
  const { url, credentials } = await parley.start({ port: 0 })
  if (!credentials) throw new Error('a new organization has no credentials')
  const as = accountsOf(url, credentials)
  let count = 0
  const unique = (prefix: string): string => {
    count += 1
    return `${prefix} ${count}`
  }
  return {
    parley,
    url,
    dataFolder: folder,
    credentials,
    as,
    unique,
    async newUser(name = unique('User')) {
      const email = `${name.toLowerCase().replaceAll(' ', '-')}@parley.example`
      const password = 'correct horse'
      await as('owner').must('POST', '/users', { email, password, full_name: name })
      const login = await as('owner').must('POST', '/fetch_api_key', { username: email, password })
      return new ApiClient(url, login)
    },
    async newBot(owner, more = {}) {
      const name = unique('helper').replaceAll(' ', '-')
      const { user_id, api_key } = await owner.must('POST', '/bots', { full_name: name, short_name: name, ...more })
      return new ApiClient(url, { email: `${name}-bot@${new URL(url).hostname}`, api_key, user_id })
    },
    async newChannel(people, more = {}) {
      const name = unique('Channel')
      const principals = people.map(({ userId }) => userId)
      const maker = people[0] ?? as('owner')
      await maker.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more })
      return { name, id: (await maker.must('GET', '/get_stream_id', { stream: name })).stream_id }
    },
    async inDatabase(change) {
      await inRows(location, change)
      parley.inside.db.forget()
    },
    async stop() {
      await parley.stop()
      await remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Same as {@link startParley}, until the test ends. */
export async function ownParley(
  t: { after(end: () => Promise<void>): void },
  dialect: Dialect,
  changes: Partial<Config> = {},
  settings: Partial<OrganizationSettings> = {},
): Promise<TestServer> {
  const server = await startParley(dialect, changes, settings)
  t.after(() => server.stop())
  return server
}

/** A server for all tests of a `describe` block; they create their own users and channels. */
export function sharedParley(
  dialect: Dialect,
  changes: Partial<Config> = {},
  settings: Partial<OrganizationSettings> = {},
): () => Promise<TestServer> {
  let server: Promise<TestServer> | undefined
  after(async () => (await server)?.stop())
  return () => {
    server ??= startParley(dialect, changes, settings)
    return server
  }
}

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import type { Knex } from 'knex'
import { systemClock } from '../domain/clock.ts'
import { emptyDatabase, onBothDatabases } from '../server/testing.ts'
import { Database, type DatabaseLocation } from './database.ts'
import { openMariaDb, requireMariaDb } from './mariadb.ts'
import { MIGRATION_NAMES } from './migrations/source.ts'
import { plainUser } from './rows-testing.ts'
import { openSqlite } from './sqlite.ts'

async function withKnex(location: DatabaseLocation, work: (knex: Knex) => Promise<unknown>): Promise<void> {
  const engine =
    location.kind === 'sqlite' ? openSqlite(location.file, 'NORMAL') : await openMariaDb(location.url, false)
  try {
    await work(engine.writer.knex)
  } finally {
    await engine.close()
  }
}

const entry = (name: string) => ({ name, batch: 1, migration_time: new Date() })

test('migrations are in the order of their names', () => assert.deepEqual(MIGRATION_NAMES, MIGRATION_NAMES.toSorted()))

test('a SQLite database of another program is refused unchanged', async () => {
  const { location, remove } = await emptyDatabase('sqlite')
  assert(location.kind === 'sqlite')
  try {
    const theirs = new Sqlite(location.file)
    theirs.exec('create table theirs (id integer primary key)')
    theirs.close()
    const before = await readFile(location.file)
    await assert.rejects(Database.open(location, systemClock), /tables of something else/)
    assert.deepEqual(await readFile(location.file), before)
  } finally {
    await remove()
  }
})

test('a database server is refused, with its version, unless it is a MariaDB that is new enough', () => {
  for (const version of ['10.11.19-MariaDB', '11.4.2-MariaDB-ubu2404-log', '12.0.1-MariaDB']) requireMariaDb(version)
  for (const version of ['10.6.18-MariaDB', '5.5.68-MariaDB', '8.0.36', '8.4.3-0ubuntu0', '']) {
    assert.throws(() => requireMariaDb(version), {
      message: `The database of DATABASE_URL is ${version}: Parley needs MariaDB 10.11 or newer`,
    })
  }
})

onBothDatabases('a database of another release', (dialect) => {
  async function openedAfter(change: (knex: Knex) => Promise<unknown>): Promise<void> {
    const { location, remove } = await emptyDatabase(dialect)
    try {
      await (await Database.open(location, systemClock)).close()
      await withKnex(location, change)
      await (await Database.open(location, systemClock)).close()
    } finally {
      await remove()
    }
  }

  test('is accepted if it is of 0.1.0, also with earlier names of migrations', () =>
    openedAfter((knex) => knex('migration').insert([entry('0001-first'), entry('0048-edited-settings')])))

  test('is refused if a later version made it', () =>
    assert.rejects(
      openedAfter((knex) => knex('migration').insert(entry('9999-later'))),
      /was made by a later release of Parley \(it has 9999-later\)/,
    ))

  test('is refused, unchanged, if it is older than 0.1.0', () =>
    assert.rejects(
      openedAfter((knex) => knex('migration').update({ name: '0048-edited-settings' })),
      /was made by Parley before 0\.1\.0 \(it has 0048-edited-settings\): start 0\.1\.0 once/,
    ))

  const skip = dialect === 'sqlite' && 'has no kinds of tables, and no half-made ones'
  test('its tables do not depend on the defaults of the server', { skip }, () =>
    openedAfter(async (knex) => {
      const kinds = await knex('information_schema.tables').whereRaw('table_schema = database()')
      const ours = kinds.filter(
        ({ ENGINE, TABLE_COLLATION: collation }) => ENGINE === 'InnoDB' && collation === 'utf8mb4_bin',
      )
      const others = kinds.filter((kind) => !ours.includes(kind))
      assert.deepEqual(
        others.map((kind) => kind.TABLE_NAME),
        ['message_search'],
      )
    }),
  )

  test('is refused, unchanged, if its list of migrations is lost', { skip }, async () => {
    const { location, remove } = await emptyDatabase(dialect)
    try {
      const db = await Database.open(location, systemClock)
      await db.transaction(async ({ users, session }) => {
        await users.insert(plainUser('kept'))
        await session.run('delete from migration')
      })
      await db.close()
      await assert.rejects(Database.open(location, systemClock), /has users, but its table migration is empty/)
    } finally {
      await remove()
    }
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Knex } from 'knex'
import { systemClock } from '../domain/clock.ts'
import { ROLE } from '../domain/users/roles.ts'
import { emptyDatabase, onBothDatabases } from '../server/testing.ts'
import { Database, type DatabaseLocation } from './database.ts'
import { openMariaDb } from './mariadb.ts'
import { migrationSource, NEWEST_MIGRATION } from './migrations/source.ts'
import { userRows } from './rows-testing.ts'
import { openSqlite } from './sqlite.ts'

const EXPECTED = [['old', 'open'], ['open']]

const migrations = await migrationSource.getMigrations([])

async function withKnex(location: DatabaseLocation, work: (knex: Knex) => Promise<unknown>): Promise<void> {
  const engine =
    location.kind === 'sqlite' ? openSqlite(location.file, 'NORMAL') : await openMariaDb(location.url, false)
  try {
    await work(engine.writer.knex)
  } finally {
    await engine.close()
  }
}

/** Creates a database of an earlier release with two channels, one of them open to a group. */
function makeOld(location: DatabaseLocation, migrationCount: number): Promise<void> {
  const getMigrations = () => Promise.resolve(migrations.slice(0, migrationCount))
  return withKnex(location, async (knex) => {
    await knex.migrate.latest({ migrationSource: { ...migrationSource, getMigrations }, tableName: 'migration' })
    const channel = (name: string, settings: object) => ({
      name,
      name_key: name,
      description: '',
      rendered_description: '',
      created_at: 1_767_225_000,
      invite_only: true,
      history_public_to_subscribers: true,
      is_web_public: false,
      is_archived: false,
      topics_policy: 'inherit',
      group_settings: JSON.stringify(settings),
      // Code that writes group settings sets this too, since the column exists.
      ...(migrationCount >= 4 && { has_group_readers: 'can_subscribe_group' in settings }),
    })
    await knex('channel').insert([channel('old', {}), channel('open', { can_subscribe_group: 13 })])
  })
}

/** Names of all channels, and of those found by the index of channels open to groups. */
async function channelNames(location: DatabaseLocation): Promise<string[][]> {
  const db = await Database.open(location, systemClock)
  try {
    const lists = [await db.read.channels.all(), await db.read.channels.withGroupReaders()]
    return lists.map((channels) => channels.map((channel) => channel.name))
  } finally {
    await db.close()
  }
}

describe('the list of migrations', () => {
  test('is in the order of their names, and ends with the newest', () => {
    const names = migrations.map(({ name }) => name)
    assert.deepEqual(names, names.toSorted())
    assert.equal(names.at(-1), NEWEST_MIGRATION)
  })
})

onBothDatabases('a database of an earlier release', (dialect) => {
  for (const [index, { name }] of migrations.slice(0, -1).entries()) {
    test(`comes up to date from ${name} with what is in it`, async () => {
      const { location, remove } = await emptyDatabase(dialect)
      await makeOld(location, index + 1)
      assert.deepEqual(await channelNames(location), EXPECTED)
      assert.deepEqual(await channelNames(location), EXPECTED, 'and stays so')
      await remove()
    })
  }

  test('knows how many bytes of the log follow each position', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    await makeOld(location, 4)
    const event = { width: 1, type: 'tick', audience: '{"to":"nobody"}', created_at: 1_767_225_000 }
    await withKnex(location, async (knex) => {
      await knex('event').insert([
        { id: 3, payload: '"é"', ...event },
        { id: 4, payload: '"xx"', ...event },
      ])
      await knex('log_head').update({ last_event_id: 4 })
    })
    const db = await Database.open(location, systemClock)
    const bytesAfter = (...positions: number[]) => Promise.all(positions.map((one) => db.read.events.bytesAfter(one)))
    assert.deepEqual(await bytesAfter(0, 2, 3, 4), [38, 38, 19, 0])
    await db.transaction(async (tx) => tx.events.append({ type: 'tick' }, { to: 'nobody' }))
    assert.deepEqual(await bytesAfter(2, 3, 4, 5), [68, 49, 30, 0])
    await db.close()
    await remove()
  })

  test('knows how many follow each channel, and its first message', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    await makeOld(location, 5)
    await withKnex(location, async (knex) => {
      await knex('user').insert(userRows([1, 2, 3]).map((row) => ({ ...row, is_active: row.id !== 3 })))
      const chosen = { color: '#000000', is_muted: false, pin_to_top: false }
      await knex('subscription').insert([
        { user_id: 1, channel_id: 1, is_active: true, ...chosen },
        { user_id: 2, channel_id: 1, is_active: false, ...chosen },
        { user_id: 3, channel_id: 1, is_active: true, ...chosen },
      ])
      const content = { content: 'x', rendered_content: 'x', client: 'x', sent_at: 0 }
      const marks = { is_me_message: false, has_link: false, mentions_channel: false }
      const place = { channel_id: 1, origin_channel_id: 1, topic_id: 1 }
      await knex('topic').insert({ id: 1, channel_id: 1, name: 't', topic_key: 't', max_message_id: 8 })
      await knex('message').insert([7, 8].map((id) => ({ id, sender_id: 1, ...place, ...content, ...marks })))
    })
    const db = await Database.open(location, systemClock)
    assert.deepEqual(
      (await db.read.channels.all()).map((channel) => [channel.subscriberCount, channel.firstMessageId]),
      [
        [1, 7],
        [0, null],
      ],
    )
    await db.close()
    await remove()
  })

  test('G3: has no bot above its owner', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    await makeOld(
      location,
      migrations.findIndex(({ name }) => name === '0049-bots-below-owners'),
    )
    const [owner, above, below] = userRows([1, 2, 3])
    const isBot = { is_bot: true, bot_owner_id: 1 }
    await withKnex(location, async (knex) => {
      await knex('user').insert({ ...owner })
      await knex('user').insert([
        { ...above, ...isBot, role: ROLE.administrator },
        { ...below, ...isBot, role: ROLE.guest },
      ])
    })
    const db = await Database.open(location, systemClock)
    const roles = (await db.read.users.all()).map(({ role }) => role)
    assert.deepEqual(roles, [ROLE.member, ROLE.member, ROLE.guest])
    await db.close()
    await remove()
  })

  for (const [done, table, addFirst] of [
    [3, 'channel', (columns: Knex.AlterTableBuilder) => columns.boolean('is_recently_active').notNullable()],
    [4, 'event', (columns: Knex.AlterTableBuilder) => columns.bigInteger('bytes_before').notNullable()],
    [5, 'channel', (columns: Knex.AlterTableBuilder) => columns.integer('subscriber_count').notNullable()],
  ] as const) {
    test(`comes up to date where ${migrations[done]?.name} was killed after its first step`, async () => {
      const { location, remove } = await emptyDatabase(dialect)
      await makeOld(location, done)
      await withKnex(location, (knex) =>
        knex.schema.alterTable(table, (columns) => {
          addFirst(columns).defaultTo(1)
        }),
      )
      assert.deepEqual(await channelNames(location), EXPECTED)
      await remove()
    })
  }

  test('gets a migration that was added before its newest', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    const getMigrations = () => Promise.resolve(migrations.toSpliced(-2, 1))
    await withKnex(location, (knex) =>
      knex.migrate.latest({ migrationSource: { ...migrationSource, getMigrations }, tableName: 'migration' }),
    )
    await (await Database.open(location, systemClock)).close()
    await withKnex(location, async (knex) => {
      assert.deepEqual(
        (await knex('migration').select('name')).map(({ name }) => name).toSorted(),
        migrations.map(({ name }) => name),
      )
    })
    await remove()
  })

  test('is refused, untouched, where a later release made it', async () => {
    const { location, remove } = await emptyDatabase(dialect)
    await (await Database.open(location, systemClock)).close()
    await withKnex(location, (knex) =>
      knex('migration').insert({ name: '9999-later', batch: 9, migration_time: new Date() }),
    )
    await assert.rejects(
      Database.open(location, systemClock),
      /was made by a later release of Parley \(it has 9999-later\)/,
    )
    await remove()
  })
})

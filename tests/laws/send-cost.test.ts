import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../db/database.ts'
import type { Tx } from '../../db/repositories.ts'
import { systemClock } from '../../domain/clock.ts'
import { emailKey, nameKey } from '../../domain/text/text-keys.ts'
import { emptyDatabase, onEachDatabase, startParley } from '../../server/testing.ts'

const FEW = 10
const MANY = 10_000
/** Accounts inserted with one statement: Knex makes a union of rows, of which SQLite takes 500. */
const CHUNK = 500

/** Number of rows of every table, including future ones. */
async function countRows(db: Database): Promise<Map<string, number>> {
  const { session } = db.read
  const tables = await session.all<{ name: string }>(
    db.dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`
      : 'select table_name as name from information_schema.tables where table_schema = database()',
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const row = await session.get<{ count: number }>(`select count(*) as count from ${session.knex.ref(name)}`)
    counts.set(name, row?.count ?? 0)
  }
  return counts
}

/** Tables that grew, with the number of new rows. */
function growth(before: ReadonlyMap<string, number>, later: ReadonlyMap<string, number>): Record<string, number> {
  const grown = [...later].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(grown.filter(([, rows]) => rows !== 0))
}

/** Inserts subscribed accounts without passwords directly into the table. */
async function subscribeNewAccounts(tx: Tx, channelId: number, count: number): Promise<void> {
  const { knex } = tx.session
  const head = await tx.events.lockedHead()
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let start = 0; start < count; start += CHUNK) {
    const chunk = numbers.slice(start, start + CHUNK).map((number) => `crowd-${channelId}-${number}@parley.example`)
    await knex('user').insert(
      chunk.map((email) => ({
        email,
        email_key: emailKey(email),
        full_name: email,
        full_name_key: nameKey(email),
        role: 400,
        is_active: true,
        is_bot: false,
        can_create_users: false,
        timezone: '',
        avatar_source: 'G',
        avatar_version: 1,
        date_joined: 0,
        api_key_hash: email,
        api_key_encrypted: '',
        read_through: 0,
        settings: '{}',
      })),
    )
    const users = await tx.users.byEmails(chunk)
    await tx.subscriptions.subscribe(
      channelId as Parameters<Tx['subscriptions']['subscribe']>[0],
      users.map(({ id }) => ({ id, color: '#5b8def' })),
      head,
    )
  }
}

onEachDatabase('cost of sending', (dialect) => {
  test(`writes as many rows for ${MANY} subscribers as for ${FEW}`, async (t) => {
    const { location, remove } = await emptyDatabase(dialect)
    const parley = await startParley(dialect, { database: location })
    const db = await Database.open(location, systemClock)
    t.after(async () => {
      await db.close()
      await parley.stop()
      await remove()
    })
    const owner = parley.as('owner')
    const mentioned = await parley.newUser('Mentioned One')
    const channels: string[] = []
    for (const subscribers of [FEW, MANY]) {
      const name = parley.unique('Crowd')
      await owner.must('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [owner.userId, mentioned.userId],
      })
      const channel = (await db.read.channels.byNames([name])).get(nameKey(name))
      assert(channel)
      await db.transaction((tx) => subscribeNewAccounts(tx, channel.id, subscribers - 2))
      assert.equal((await db.read.channels.byId(channel.id))?.subscriberCount, subscribers)
      channels.push(name)
    }

    // The side effects of a sender's very first message do not depend on subscribers.
    await owner.must('POST', '/messages', { type: 'direct', to: [owner.userId], content: 'first' })
    for (const content of ['plain', 'to @**Mentioned One**', '@**all** of you']) {
      const grown: Record<string, number>[] = []
      for (const to of channels) {
        const before = await countRows(db)
        await owner.must('POST', '/messages', { type: 'channel', to, topic: content.slice(0, 5), content })
        grown.push(growth(before, await countRows(db)))
      }
      assert.equal(grown[0]?.message, 1)
      assert.equal(grown[0]?.message_flag, content.includes('Mentioned') ? 1 : undefined)
      assert.deepEqual(grown[1], grown[0], `rows written for '${content}'`)
    }
  })
})

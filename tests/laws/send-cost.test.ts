import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/repositories.ts'
import { insertRows, userRows } from '../../db/rows-testing.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import { onEachDatabase, startParley } from '../../server/testing.ts'

const FEW = 10
const MANY = 10_000

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
async function subscribeNewAccounts(tx: Tx, channelId: ChannelId, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => (channelId * 2 * MANY + index) as UserId)
  await insertRows(tx, 'user', userRows(ids))
  const subscribers = ids.map((id) => ({ id, color: '#5b8def' }))
  await tx.subscriptions.subscribe(channelId, subscribers, await tx.events.lockedHead())
}

onEachDatabase('cost of sending', (dialect) => {
  test(`writes as many rows for ${MANY} subscribers as for ${FEW}`, async (t) => {
    const parley = await startParley(dialect)
    t.after(() => parley.stop())
    const { db } = parley.parley.inside
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

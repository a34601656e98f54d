import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heapInUse } from '../domain/heap-testing.ts'
import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import { ROLE } from '../domain/users/roles.ts'
import { onBothDatabases, openDatabase } from '../server/testing.ts'
import type { RowReaders } from './repositories.ts'

/** Asks for lists of 40 different lengths. */
async function askForLists(read: RowReaders): Promise<void> {
  for (let length = 4960; length < 5000; length += 1) {
    const ids = Array.from({ length }, (_, index) => index + 1)
    const wanted = { content: true, renderedContent: true }
    await read.messagePages.heads({ id: 1 as UserId, role: ROLE.member }, ids as MessageId[], wanted)
    await read.reactions.ofMessages(ids as MessageId[])
    await read.submessages.ofMessages(ids as MessageId[])
    await read.users.settings(ids as UserId[])
    await read.users.visibilitySettings(ids as UserId[])
    await read.users.roleHistories(ids as UserId[])
    await read.subscriptions.subscribedTo(1 as UserId, ids as ChannelId[])
    await read.subscriptions.subscribedAmong(1 as ChannelId, ids as UserId[])
    await read.userTopics.ofTopic(1 as ChannelId, 'x', ids as UserId[])
  }
}

onBothDatabases('SEC-MEM-2: prepared statements of lists of every length', (dialect) => {
  test('do not fill memory', { skip: dialect === 'mariadb' && 'the server counts them' }, async (t) => {
    const { read } = (await openDatabase(t, dialect)).db
    heapInUse() // collects garbage, which would count
    const before = process.memoryUsage.rss()
    await askForLists(read)
    heapInUse()
    const grown = (process.memoryUsage.rss() - before) / 2 ** 20
    // Separate statements would take some 270 MiB.
    assert(grown < 150, `${grown} MiB`)
  })

  test('are few in a connection', { skip: dialect === 'sqlite' && 'its memory is measured' }, async (t) => {
    const { db } = await openDatabase(t, dialect)
    await db.transaction(async (tx) => {
      const kept = async (): Promise<number> => {
        const sql = "show session status like 'Com_stmt_%'"
        const rows = await tx.session.all<{ Variable_name: string; Value: string }>(sql)
        const count = (name: string) => Number(rows.find((row) => row.Variable_name.toLowerCase() === name)?.Value)
        return count('com_stmt_prepare') - count('com_stmt_close')
      }
      const before = await kept()
      await askForLists(tx)
      const ofLists = (await kept()) - before
      assert(ofLists <= 20, `${ofLists} of lists`)
      for (let number = 0; number < 500; number += 1) await tx.session.get(`select ${number}`)
      const all = await kept()
      assert(all <= 210, `${all} in all`)
    })
  })
})

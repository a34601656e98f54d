import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import { ROLE } from '../domain/users/roles.ts'
import { onBothDatabases, openDatabase } from '../server/testing.ts'

onBothDatabases('prepared statements', (dialect) => {
  test('SEC-MEM-2: lists of every length do not fill memory', async (t) => {
    const { read } = (await openDatabase(t, dialect)).db
    const ask = async (length: number): Promise<void> => {
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
    await ask(1)
    const before = process.memoryUsage.rss()
    for (let length = 4960; length < 5000; length += 1) await ask(length)
    const grown = (process.memoryUsage.rss() - before) / 2 ** 20
    // Separate statements would take some 270 MiB. Uncollected garbage of the lists takes up to 100.
    assert(grown < 150, `${grown} MiB`)
  })

  test('a connection keeps a limited number', { skip: dialect === 'sqlite' && 'the server counts them' }, async (t) => {
    const db = (await openDatabase(t, dialect)).db
    const [prepared, closed] = await db.transaction(async ({ session }) => {
      for (let number = 0; number < 500; number += 1) await session.get(`select ${number}`)
      const rows = await session.all<{ Variable_name: string; Value: string }>("show session status like 'Com_stmt_%'")
      const count = (name: string) => Number(rows.find((row) => row.Variable_name.toLowerCase() === name)?.Value)
      return [count('com_stmt_prepare'), count('com_stmt_close')]
    })
    assert(prepared !== undefined && closed !== undefined)
    assert(prepared >= 500 && prepared - closed <= 210, `${prepared} prepared, ${closed} closed`)
  })
})

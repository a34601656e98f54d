import assert from 'node:assert/strict'
import { CHANNELS_COUNTED } from '../../db/rows-testing.ts'
import type { TestServer } from '../../server/testing.ts'

/**
 * After any actions the counts in the rows of channels match the data, and no bot has a higher role than its owner
 * (SEC-WRITE-5).
 */
export async function checkRows(server: TestServer): Promise<void> {
  const above = `select bot.id from user bot join user owner on owner.id = bot.bot_owner_id where bot.role < owner.role`
  await server.inDatabase(async (session) => {
    const numbers = await session.all('select id, subscriber_count, first_message_id from channel order by id')
    assert.deepEqual(numbers, await session.all(CHANNELS_COUNTED))
    assert.deepEqual(await session.all(above), [])
  })
}

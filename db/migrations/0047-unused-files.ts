import type { Knex } from 'knex'
import { tablesOf } from './tables.ts'

const MESSAGES_A_PAGE = 200
const FILE = /user_uploads\/\d+\/([0-9a-f]{32})\//g

/** Since when no message refers to a file, and former versions of messages that do. */
export async function up(knex: Knex): Promise<void> {
  const { create, addColumns, addIndex } = tablesOf(knex)
  await create('attachment_history', (table) => {
    table.integer('attachment_id').unsigned().notNullable()
    table.bigInteger('message_id').unsigned().notNullable()
    table.primary(['attachment_id', 'message_id'])
    table.index(['message_id'])
  })
  for (let after = 0; ; ) {
    const rows = await knex('message')
      .select('id', 'edit_history')
      .whereNotNull('edit_history')
      .where('id', '>', after)
      .orderBy('id')
      .limit(MESSAGES_A_PAGE)
    for (const { id, edit_history: history } of rows) {
      const keys = new Set([...String(history).matchAll(FILE)].map(([, key = '']) => key))
      for (const key of keys) {
        const file = await knex('attachment').select('id').where('path_id', 'like', `%/${key}/%`).first()
        if (file) await knex('attachment_history').insert({ attachment_id: file.id, message_id: id })
      }
    }
    if (rows.length < MESSAGES_A_PAGE) break
    after = rows.at(-1).id
  }
  await addColumns('attachment', {
    unused_since: (table) => table.bigInteger('unused_since').nullable(), // UNIX seconds; null while a message refers to it
  })
  await addIndex('attachment', ['unused_since', 'id'])
  await knex.raw(
    `update attachment set unused_since = ? where
      not exists (select 1 from attachment_message r where r.attachment_id = attachment.id) and
      not exists (select 1 from attachment_history h where h.attachment_id = attachment.id)`,
    [Math.floor(Date.now() / 1000)], // as if they were uploaded now, because their age is unknown
  )
}

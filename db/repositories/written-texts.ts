import { Repository } from '../repository.ts'

/** Texts that may refer to a file, besides those of messages: table and column, each with an `id`. */
const TEXTS = [
  ['draft', 'content'],
  ['saved_snippet', 'content'],
  ['scheduled_message', 'content'],
  ['reminder', 'content'],
  ['channel', 'description'],
  ['channel_folder', 'description'],
  ['user_group', 'description'],
  ['user', 'profile_data'],
  ['organization', 'settings'],
  ['organization', 'description'],
] as const

/** Of one transaction with the database's other readers: texts have up to 10,000 characters. */
const TEXTS_A_PAGE = 100

/** What people have written down without sending it. */
export class WrittenTextReader extends Repository {
  /** All of them, a page after the other; others are served in between where the caller lets them. */
  async *pages(): AsyncIterable<readonly string[]> {
    for (const [table, column] of TEXTS) {
      for (let after = 0; ; ) {
        const rows = await this.session.all<{ readonly id: number; readonly text: string | null }>(
          `select id, ${column} as text from ${table} where id > ? order by id limit ${TEXTS_A_PAGE}`,
          [after],
        )
        yield rows.flatMap(({ text }) => text ?? [])
        const last = rows.at(-1)
        if (!last || rows.length < TEXTS_A_PAGE) break
        after = last.id
      }
    }
  }
}

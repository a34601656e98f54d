import { octetsOf, rowsInBytes } from '../pieces.ts'
import { Repository } from '../repository.ts'

/** Texts besides messages that may refer to a file: table and column, each with an `id`. */
const TEXTS = [
  ['draft', 'content'],
  ['saved_snippet', 'content'],
  ['scheduled_message', 'content'],
  ['reminder', 'content'],
  ['channel', 'description'],
  ['channel_folder', 'description'],
  ['default_channel_group', 'description'],
  ['invitation', 'welcome_text'],
  ['user_group', 'description'],
  ['user', 'profile_data'],
  ['organization', 'settings'],
  ['organization', 'description'],
] as const

/** Maximum number of texts read together. */
const TEXTS_A_PAGE = 100

/** Texts that users have written without sending them. */
export class WrittenTextReader extends Repository {
  /** Yields all these texts in pages. The caller decides whether others are served in between. */
  async *pages(): AsyncIterable<readonly string[]> {
    for (const [table, column] of TEXTS) {
      for (let after = 0; ; ) {
        const rows = await rowsInBytes<{ readonly id: number; readonly text: string | null }>(
          this.session,
          {
            ...{ columns: `id, ${column} as text`, from: `from ${table} where id > ? order by id` },
            ...{ bytes: octetsOf([column]), limit: TEXTS_A_PAGE },
          },
          [after],
        )
        yield rows.flatMap(({ text }) => text ?? [])
        const last = rows.at(-1)
        if (!last) break
        after = last.id
      }
    }
  }
}

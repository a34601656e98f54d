import { longText } from '../archive/columns.ts'
import { Repository } from '../repository.ts'
import { ExportedRowReader } from './exported-rows.ts'

/** Texts besides messages that may refer to a file: table, column, and a key whose first column is a number. */
const TEXTS = [
  ['draft', 'content', 'id'],
  ['saved_snippet', 'content', 'id'],
  ['scheduled_message', 'content', 'id'],
  ['reminder', 'content', 'id'],
  ['submessage', 'content', 'id'],
  ['bot_storage', 'value', 'bot_id', 'storage_key'],
  ['channel', 'description', 'id'],
  ['channel_folder', 'description', 'id'],
  ['default_channel_group', 'description', 'id'],
  ['invitation', 'welcome_text', 'id'],
  ['user_group', 'description', 'id'],
  ['user', 'profile_data', 'id'],
  ['organization', 'settings', 'id'],
  ['organization', 'description', 'id'],
] as const

/** Texts that users have written without sending them, or that belong to a message or bot. */
export class WrittenTextReader extends Repository {
  /** Yields all these texts in pages. The caller decides whether others are served in between. */
  async *pages(): AsyncIterable<readonly string[]> {
    const reader = new ExportedRowReader(this.session)
    for (const [table, column, ...order] of TEXTS) {
      const pages = reader.rowsOf({ table, columns: { [column]: longText }, order }, () => true)
      for await (const rows of pages) yield rows.flatMap((row) => (row[column] as string | null) ?? [])
    }
  }
}

import { startExport } from '../../actions/data-exports.ts'
import type { ReadOnlyDatabase } from '../../db/database.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { MAX_EXPORTED_FILE_BYTES, MAX_EXPORTED_MESSAGES } from '../../domain/limits.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import type { Handler } from '../handler.ts'

/** POST /export/realm. What is too large is found before anybody waits for the transaction. */
export const startDataExport: Handler<'start-data-export'> = async ({ input, db, write, clock, site, exports }) => {
  if (await isTooLarge(db)) {
    throw new BadRequestError(`Please request a manual export from postmaster@${hostOf(site)}.`)
  }
  const wanted = { type: input.export_type, nowMs: clock.now(), areLimited: exports.areLimited }
  return { id: await write((tx, actor) => startExport(tx, actor, wanted, site)) }
}

/** LIMIT: facts/limits.md. */
async function isTooLarge({ read }: ReadOnlyDatabase): Promise<boolean> {
  if ((await read.attachments.spaceUsed()) > MAX_EXPORTED_FILE_BYTES) return true
  // There cannot be more than were ever sent, which costs nothing to know.
  const { messageId: lastMessageId } = await read.events.head()
  return lastMessageId > MAX_EXPORTED_MESSAGES && (await read.exportedRows.hasMoreMessages(MAX_EXPORTED_MESSAGES))
}

import { startExport } from '../../actions/data-exports.ts'
import type { ReadOnlyDatabase } from '../../db/database.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { MAX_EXPORTED_FILE_BYTES } from '../../domain/limits.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import type { Handler } from '../handler.ts'

/** POST /export/realm. The size is checked before the transaction, so that nobody waits. */
export const startDataExport: Handler<'start-data-export'> = async ({ input, db, write, clock, site, exports }) => {
  if (await isTooLarge(db, exports.maxMessages)) {
    throw new BadRequestError(`Please request a manual export from postmaster@${hostOf(site)}.`)
  }
  const wanted = { type: input.export_type, nowMs: clock.now(), areLimited: exports.areLimited }
  return { id: await write((tx, actor) => startExport(tx, actor, wanted, site)) }
}

/** Whether there is more than an archive may contain (EXPORT-9). */
async function isTooLarge({ read }: ReadOnlyDatabase, maxMessages: number): Promise<boolean> {
  if ((await read.attachments.spaceUsed()) > MAX_EXPORTED_FILE_BYTES) return true
  // There cannot be more messages than were ever sent, which is known without counting.
  const { messageId: lastMessageId } = await read.events.head()
  return lastMessageId > maxMessages && (await read.exportedRows.hasMoreMessages(maxMessages))
}

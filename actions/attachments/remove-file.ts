import type { Tx } from '../../db/repositories.ts'
import type { Attachment } from '../../domain/attachments/attachment.ts'
import { announceToSelf } from '../announce-to-self.ts'
import { removePlaceholders } from '../messages/replace-placeholders.ts'

/**
 * Removes the row of a file, and tells its owner. The caller removes the bytes afterwards, so that every row always has
 * its bytes.
 */
export async function removeFile(tx: Tx, attachment: Attachment): Promise<void> {
  await removePlaceholders(tx, attachment.id)
  await tx.attachments.delete(attachment)
  announceToSelf(tx, attachment.ownerId, {
    type: 'attachment',
    op: 'remove',
    attachment: { id: attachment.id },
    upload_space_used: await tx.attachments.spaceUsed(),
  })
}

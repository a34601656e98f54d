import type { Tx } from '../../db/repositories.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { flagAdded, flagRemoved } from '../../domain/messages/flag-events.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { announceToSelf } from '../announce-to-self.ts'

/**
 * Called when a channel begins to hide its earlier history. Users who had only flagged an earlier message lose the flag
 * and can no longer see the message, as after a move to such a channel. The message never becomes starred or unread
 * again.
 */
export async function hideHistory(tx: Tx, channelId: ChannelId): Promise<void> {
  const pauses = new Pauses()
  for await (const marks of tx.readState.historicalIn(channelId, pauses)) {
    for (const [userId, own] of Map.groupBy(marks, (mark) => mark.userId)) {
      const ids = own.map((mark) => mark.messageId)
      const unread = (await tx.readState.markReadByAll([userId], ids, pauses)).get(userId)
      if (unread) announceToSelf(tx, userId, flagAdded('read', unread))
      const starred = own.flatMap((mark) => (mark.isStarred ? [mark.messageId] : []))
      if (starred.length > 0) announceToSelf(tx, userId, flagRemoved('starred', starred))
    }
    const ids = [...new Set(marks.map((mark) => mark.messageId))]
    await tx.readState.removeFlags(ids, { of: [], historical: true }, pauses)
  }
}

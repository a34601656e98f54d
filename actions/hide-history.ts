import { Pauses } from '../db/pauses.ts'
import type { Tx } from '../db/repositories.ts'
import type { ChannelId } from '../domain/ids.ts'
import { flagAdded, flagRemoved } from '../domain/messages/flag-events.ts'
import { tellSelf } from './tell-self.ts'

/**
 * The channel hides what was sent before somebody's time from now on. People who had only marked such a message lose the mark, and with
 * it the message, as after a move to such a channel; it comes back neither as starred nor as unread.
 */
export async function hideHistory(tx: Tx, channelId: ChannelId): Promise<void> {
  const pauses = new Pauses()
  for await (const marks of tx.readState.historicalIn(channelId, pauses)) {
    for (const [userId, own] of Map.groupBy(marks, (mark) => mark.userId)) {
      const ids = own.map((mark) => mark.messageId)
      const unread = (await tx.readState.markReadByAll([userId], ids, pauses)).get(userId)
      if (unread) tellSelf(tx, userId, flagAdded('read', unread))
      const starred = own.flatMap((mark) => (mark.isStarred ? [mark.messageId] : []))
      if (starred.length > 0) tellSelf(tx, userId, flagRemoved('starred', starred))
    }
    const ids = [...new Set(marks.map((mark) => mark.messageId))]
    await tx.readState.removeFlags(ids, { of: [], historical: true }, pauses)
  }
}

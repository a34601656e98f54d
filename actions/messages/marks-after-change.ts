import type { Reception } from '../../db/repositories/receipts.ts'
import type { Tx } from '../../db/repositories.ts'
import type { UpdateMessageLogEvent } from '../../domain/events/log-event.ts'

/** Returns the data from which the flags of each reader with an event queue are computed. */
export async function marksAfterChange(
  tx: Tx,
  reception: Reception,
  mentionsChannel: boolean,
): Promise<Pick<UpdateMessageLogEvent, 'received' | 'mentionsChannel' | 'storedFlags' | 'readBy'>> {
  const { messageId } = reception
  return {
    received: 'originChannelId' in reception ? { channelId: reception.originChannelId, messageId } : undefined,
    mentionsChannel,
    storedFlags: await tx.receipts.flagsWithQueues(messageId),
    readBy: await tx.receipts.readersWithQueues(reception),
  }
}

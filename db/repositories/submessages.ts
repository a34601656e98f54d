import type { MessageId, UserId } from '../../domain/ids.ts'
import type { Submessage } from '../../domain/messages/submessage.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface SubmessageRow {
  readonly id: number
  readonly message_id: number
  readonly sender_id: number
  readonly msg_type: string
  readonly content: string
}

/** Data of widgets: questions, votes, tasks. */
export class SubmessageReader extends Repository {
  /**
   * Returns those of each of `messageIds`, in the order in which they were added; a message without any has no key. One
   * query for each PAGE.
   */
  async ofMessages(messageIds: readonly MessageId[]): Promise<Map<MessageId, Submessage[]>> {
    const sql = (list: string) => `select * from submessage where message_id in ${list} order by id`
    const rows = await rowsFor<SubmessageRow>(this.session, messageIds, sql)
    const submessages = rows.map((row) => ({
      id: row.id,
      messageId: row.message_id as MessageId,
      senderId: row.sender_id as UserId,
      msgType: row.msg_type,
      content: row.content,
    }))
    return Map.groupBy(submessages, (one) => one.messageId)
  }
}

export class SubmessageWriter extends SubmessageReader {
  async insert(submessage: Omit<Submessage, 'id'>): Promise<Submessage> {
    const { messageId, senderId, msgType, content } = submessage
    const { insertId } = await this.session.run(
      'insert into submessage (message_id, sender_id, msg_type, content) values (?, ?, ?, ?)',
      [messageId, senderId, msgType, content],
    )
    return { id: insertId, ...submessage }
  }
}

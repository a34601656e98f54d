import { chunksOf } from '../../domain/chunks.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import type { Submessage } from '../../domain/messages/submessage.ts'
import { listOf, MAX_VARIABLES } from '../dialect.ts'
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
   * query.
   */
  async ofMessages(messageIds: readonly MessageId[]): Promise<Map<MessageId, Submessage[]>> {
    const submessages: Submessage[] = []
    for (const chunk of chunksOf(messageIds, MAX_VARIABLES)) {
      const list = listOf(this.session.dialect, chunk)
      const rows = await this.session.all<SubmessageRow>(
        `select * from submessage where message_id in ${list.sql} order by id`,
        list.params,
      )
      for (const row of rows) {
        submessages.push({
          id: row.id,
          messageId: row.message_id as MessageId,
          senderId: row.sender_id as UserId,
          msgType: row.msg_type,
          content: row.content,
        })
      }
    }
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

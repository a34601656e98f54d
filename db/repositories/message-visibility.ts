import { chunksOf } from '../../domain/chunks.ts'
import { ascending, type ChannelId, type DirectGroupId, type MessageId, type UserId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { LISTED } from '../dialect.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'
import { type AccessRow, accessColumns, accessOf, type MessageAccess } from './message-access.ts'

/** The place of a message and one user's relation to it, without its contents. */
export interface MessageVisibility extends MessageAccess {
  readonly id: MessageId
  /** Null for direct messages. */
  readonly channelId: ChannelId | null
  readonly topic: string | null
  /** Null for channel messages. */
  readonly directGroupId: DirectGroupId | null
  /** The user did not receive it when it was sent. */
  readonly isHistorical: boolean
  /** Bits of FLAG. */
  readonly storedFlags: number
  readonly mentionsChannel: boolean
}

interface VisibilityRow extends AccessRow {
  readonly id: number
  readonly direct_group_id: number | null
  readonly topic: string | null
  readonly mentions_channel: number
}

const MESSAGES_A_STATEMENT = 1000

export class MessageVisibilityReader extends Repository {
  /** Returns those of `ids` that exist, ascending. Others are served between pieces (SEC-LOOP-1). */
  async existing(ids: readonly MessageId[]): Promise<MessageId[]> {
    const sql = (list: string) => `select id from message where id in ${list}`
    return ascending((await rowsFor<{ id: MessageId }>(this.session, ids, sql)).map(({ id }) => id))
  }

  /**
   * Returns those of `ids` that exist, by ascending ID. One query for each thousand; others are served in between
   * (SEC-LOOP-1).
   */
  async of(userId: UserId, ids: readonly MessageId[]): Promise<MessageVisibility[]> {
    const pauses = new Pauses()
    const messages: MessageVisibility[] = []
    const unique = ascending(ids)
    for (const chunk of chunksOf(unique, MESSAGES_A_STATEMENT)) {
      const rows = await this.session.all<VisibilityRow>(
        `select m.id, m.direct_group_id, m.mentions_channel, t.name as topic, ${accessColumns('?')}
         from ${LISTED[this.session.dialect]} as wanted cross join message m on m.id = wanted.value
         left join topic t on t.id = m.topic_id left join channel c on c.id = m.channel_id
         left join message_flag f on f.user_id = ? and f.message_id = m.id
         order by m.id`,
        [userId, userId, userId, JSON.stringify(chunk), userId],
      )
      messages.push(...rows.map(fromRow))
      await pauses.letOthers()
    }
    return messages
  }
}

function fromRow(row: VisibilityRow): MessageVisibility {
  return {
    ...accessOf(row),
    id: row.id as MessageId,
    channelId: row.channel_id as ChannelId | null,
    topic: row.topic,
    directGroupId: row.direct_group_id as DirectGroupId | null,
    isHistorical: row.received_when_sent !== 1,
    storedFlags: row.stored_flags ?? 0,
    mentionsChannel: row.mentions_channel === 1,
  }
}

import { chunksOf } from '../../domain/chunks.ts'
import { FLAG } from '../../domain/flags.ts'
import type { ChannelId, DirectGroupId, MessageId, UserId } from '../../domain/ids.ts'
import { LISTED } from '../dialect.ts'
import type { Session } from '../session.ts'
import type { ViewedMessage } from './messages.ts'

/** Where a message is and how one user stands to it, without its contents. */
export interface MessageSight extends Pick<ViewedMessage, 'channel' | 'wasReceived'> {
  readonly id: MessageId
  /** Null for direct messages. */
  readonly channelId: ChannelId | null
  readonly topic: string | null
  /** Null for channel messages. */
  readonly directGroupId: DirectGroupId | null
  /** They did not get it when it was sent. */
  readonly isHistorical: boolean
  /** Bits of FLAG. */
  readonly storedFlags: number
  readonly mentionsChannel: boolean
}

interface SightRow {
  readonly id: number
  readonly channel_id: number | null
  readonly origin_channel_id: number | null
  readonly direct_group_id: number | null
  readonly topic: string | null
  readonly mentions_channel: number
  readonly invite_only: number | null
  readonly history_public: number | null
  readonly is_archived: number | null
  readonly is_subscribed: number
  readonly is_own: number
  readonly flags: number | null
}

const MESSAGES_A_STATEMENT = 1000

export class MessageSightReader {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  /** Those of `ids` that exist, ascending. */
  async existing(ids: readonly MessageId[]): Promise<MessageId[]> {
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from ${LISTED[this.#session.dialect]} as wanted cross join message m on m.id = wanted.value order by m.id`,
      [JSON.stringify(ids)],
    )
    return rows.map((row) => row.id)
  }

  /** Of those of `ids` that exist, by ascending id. A query for each thousand. */
  async of(userId: UserId, ids: readonly MessageId[]): Promise<MessageSight[]> {
    const sights: MessageSight[] = []
    const unique = [...new Set(ids)].sort((a, b) => a - b)
    for (const chunk of chunksOf(unique, MESSAGES_A_STATEMENT)) {
      const rows = await this.#session.all<SightRow>(
        `select m.id, m.channel_id, m.origin_channel_id, m.direct_group_id, m.mentions_channel, t.name as topic,
           c.invite_only, c.history_public_to_subscribers as history_public, c.is_archived, f.flags,
           case when m.channel_id is null then 0 else exists (select 1 from subscription b
             where b.user_id = ? and b.channel_id = m.channel_id and b.is_active = 1) end as is_subscribed,
           case when m.channel_id is null
             then exists (select 1 from direct_group_member g where g.user_id = ? and g.group_id = m.direct_group_id)
             else exists (select 1 from subscription_span p where p.user_id = ? and p.channel_id = m.origin_channel_id
               and p.after_message_id < m.id and (p.to_message_id is null or p.to_message_id >= m.id)) end as is_own
         from ${LISTED[this.#session.dialect]} as wanted cross join message m on m.id = wanted.value
         left join topic t on t.id = m.topic_id left join channel c on c.id = m.channel_id
         left join message_flag f on f.user_id = ? and f.message_id = m.id
         order by m.id`,
        [userId, userId, userId, JSON.stringify(chunk), userId],
      )
      sights.push(...rows.map(fromRow))
    }
    return sights
  }
}

function fromRow(row: SightRow): MessageSight {
  const storedFlags = row.flags ?? 0
  return {
    id: row.id as MessageId,
    channelId: row.channel_id as ChannelId | null,
    topic: row.topic,
    directGroupId: row.direct_group_id as DirectGroupId | null,
    wasReceived: row.is_own === 1 || (storedFlags & FLAG.historical) !== 0,
    isHistorical: row.is_own !== 1,
    storedFlags,
    mentionsChannel: row.mentions_channel === 1,
    channel:
      row.channel_id === null
        ? null
        : {
            originId: row.origin_channel_id as ChannelId,
            inviteOnly: row.invite_only === 1,
            historyPublicToSubscribers: row.history_public === 1,
            isSubscribed: row.is_subscribed === 1,
            isArchived: row.is_archived === 1,
          },
  }
}

import { chunksOf } from '../domain/chunks.ts'
import type { ChannelId, DirectGroupId, MessageId } from '../domain/ids.ts'
import { isTopicMuted, VISIBILITY, type VisibilityPolicy } from '../domain/topic-visibility.ts'
import { LISTED } from './dialect.ts'
import { withoutMuted } from './narrow/conditions.ts'
import { NarrowQuery } from './narrow/narrow-query.ts'
import type { ResolvedNarrow, Viewer } from './narrow/resolved-narrow.ts'
import type { Session } from './session.ts'
import { UserReadState } from './user-read-state.ts'

/** An unread message, with the conversation that it counts for. */
export interface UnreadMessage {
  readonly id: MessageId
  readonly channelId: ChannelId | null
  readonly topic: string | null
  readonly directGroupId: DirectGroupId | null
  readonly mentionsChannel: boolean
  /** In a muted topic, or in a muted channel under a topic that is neither unmuted nor followed. */
  readonly isMuted: boolean
}

const PAGE = 5000

/** What a user has not read yet: received and not marked as read. */
export class UnreadQuery {
  readonly #session: Session
  readonly #viewer: Viewer
  #ids: Promise<readonly MessageId[]> | undefined

  constructor(session: Session, viewer: Viewer) {
    this.#session = session
    this.#viewer = viewer
  }

  /** The oldest unread message of the narrow that is not muted; undefined when there is none. */
  async first(narrow: ResolvedNarrow): Promise<MessageId | undefined> {
    const query = this.#query(narrow, true)
    for (const page of chunksOf(await this.#unread(), PAGE)) {
      const [first] = await query.among(page)
      if (first !== undefined) return first
    }
    return undefined
  }

  /** All unread messages of the narrow, ascending, muted ones too. */
  async inNarrow(narrow: ResolvedNarrow): Promise<MessageId[]> {
    return this.#query(narrow, false).among(await this.#unread())
  }

  /**
   * The newest `limit` unread messages, ascending, that count: in conversations, and in channels to which the user is
   * subscribed now (architecture decision 3).
   */
  async newest(limit: number): Promise<UnreadMessage[]> {
    const pages: UnreadMessage[][] = []
    let count = 0
    for (const page of [...chunksOf((await this.#unread()).toReversed(), PAGE)]) {
      const described = await this.#described(page)
      pages.unshift(described)
      count += described.length
      if (count >= limit) break
    }
    return pages.flat().slice(-limit)
  }

  /** What was sent before one's time is not unread, so only received messages are looked at. */
  #query(narrow: ResolvedNarrow, isMutedLeftOut: boolean): NarrowQuery {
    const muted = isMutedLeftOut ? withoutMuted(narrow, this.#viewer) : undefined
    return new NarrowQuery(this.#session, this.#viewer, { ...narrow, isHistoryShared: false }, muted)
  }

  #unread(): Promise<readonly MessageId[]> {
    this.#ids ??= UserReadState.load(this.#session, this.#viewer.id).then((state) => state.unreadIds())
    return this.#ids
  }

  async #described(ids: readonly MessageId[]): Promise<UnreadMessage[]> {
    const rows = await this.#session.all<{
      id: MessageId
      channel_id: ChannelId | null
      topic: string | null
      direct_group_id: DirectGroupId | null
      mentions_channel: number
      is_muted: number | null
      visibility_policy: number | null
    }>(
      `select m.id, m.channel_id, t.name as topic, m.direct_group_id, m.mentions_channel, s.is_muted, u.visibility_policy
       from ${LISTED[this.#session.dialect]} as wanted cross join message m on m.id = wanted.value
       left join topic t on t.id = m.topic_id
       left join subscription s on s.user_id = ? and s.channel_id = m.channel_id and s.is_active = 1
       left join user_topic u on u.user_id = ? and u.channel_id = t.channel_id and u.topic_key = t.topic_key
       where m.direct_group_id is not null or s.user_id is not null order by m.id`,
      [JSON.stringify(ids), this.#viewer.id, this.#viewer.id],
    )
    return rows.map((row) => ({
      id: row.id,
      channelId: row.channel_id,
      topic: row.topic,
      directGroupId: row.direct_group_id,
      mentionsChannel: row.mentions_channel === 1,
      isMuted: isTopicMuted((row.visibility_policy ?? VISIBILITY.none) as VisibilityPolicy, row.is_muted === 1),
    }))
  }
}

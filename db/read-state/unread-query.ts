import { chunksOf } from '../../domain/chunks.ts'
import type { ChannelId, DirectGroupId, MessageId, TopicId } from '../../domain/ids.ts'
import { isTopicMuted, VISIBILITY, type VisibilityPolicy } from '../../domain/topics/topic-visibility.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { LISTED, throughIndex } from '../dialect.ts'
import { withoutMuted } from '../narrow/conditions.ts'
import { type NarrowOptions, NarrowQuery } from '../narrow/narrow-query.ts'
import type { ResolvedNarrow, Viewer } from '../narrow/resolved-narrow.ts'
import { ROWS_A_PIECE } from '../pieces.ts'
import type { Session } from '../session.ts'
import { UserReadState } from './user-read-state.ts'

/** An unread message with the conversation that it counts for. */
export interface UnreadMessage {
  readonly id: MessageId
  readonly channelId: ChannelId | null
  readonly topic: string | null
  readonly directGroupId: DirectGroupId | null
  readonly mentionsChannel: boolean
  /** In a muted topic, or in a muted channel under a topic that is neither unmuted nor followed. */
  readonly isMuted: boolean
}

interface PlacedMessage {
  readonly id: MessageId
  readonly channel_id: ChannelId | null
  readonly topic_id: TopicId | null
  readonly direct_group_id: DirectGroupId | null
}

/** If more than one in this many IDs is unread, the index of each channel is scanned instead of looking up each ID. */
const DENSE_ONE_OF = 4

/** What a user has not read yet: received and not marked as read. */
export class UnreadQuery {
  readonly #session: Session
  readonly #viewer: Viewer
  readonly #pauses: Pauses

  constructor(session: Session, viewer: Viewer, pauses = new Pauses()) {
    this.#session = session
    this.#viewer = viewer
    this.#pauses = pauses
  }

  /** Returns the oldest unread message of the narrow that is not muted; undefined if there is none. */
  async first(narrow: ResolvedNarrow): Promise<MessageId | undefined> {
    const query = this.#query(narrow, { further: withoutMuted(narrow, this.#viewer) })
    for await (const part of (await this.#state()).unreadParts('asc')) {
      const [first] = await query.among(part)
      if (first !== undefined) return first
    }
    return undefined
  }

  /** Returns all unread messages of the narrow, ascending, muted ones too. */
  async inNarrow(narrow: ResolvedNarrow): Promise<MessageId[]> {
    return this.#query(narrow).among(await (await this.#state()).unreadIds())
  }

  /**
   * Returns the newest `limit` unread messages that count, ascending: in conversations, and in active channels to which
   * the user is subscribed now.
   */
  async newest(limit: number): Promise<UnreadMessage[]> {
    const subscriptions = await this.#subscriptions()
    const pages: PlacedMessage[][] = []
    let count = 0
    let waiting: MessageId[] = []
    const place = async (): Promise<void> => {
      const page = (await this.#placed(waiting, [...subscriptions.keys()])).filter(
        (row) => row.channel_id === null || subscriptions.has(row.channel_id),
      )
      pages.push(page)
      count += page.length
      waiting = []
    }
    for await (const part of (await this.#state()).unreadParts('desc')) {
      waiting = part.concat(waiting)
      if (waiting.length >= limit - count) await place()
      if (count >= limit) break
    }
    if (waiting.length > 0) await place()
    return this.#described(pages.toReversed().flat().slice(-limit), subscriptions)
  }

  /** Messages from before a subscription are not unread, so only received messages are searched. */
  #query(narrow: ResolvedNarrow, options?: NarrowOptions): NarrowQuery {
    return new NarrowQuery(
      this.#session,
      this.#viewer,
      { ...narrow, isHistoryShared: false },
      { ...options, pauses: this.#pauses },
    )
  }

  #state(): Promise<UserReadState> {
    return UserReadState.load(this.#session, this.#viewer.id, this.#pauses)
  }

  /** Whether each subscribed channel is muted; without archived ones. */
  async #subscriptions(): Promise<Map<ChannelId, boolean>> {
    const rows = await this.#session.all<{ channel_id: ChannelId; is_muted: number }>(
      `select s.channel_id, s.is_muted from subscription s join channel c on c.id = s.channel_id
       where s.user_id = ? and s.is_active = 1 and c.is_archived = 0`,
      [this.#viewer.id],
    )
    return new Map(rows.map((row) => [row.channel_id, row.is_muted === 1]))
  }

  /** Returns the places of those of `ids` (ascending) that exist, ascending. */
  async #placed(ids: readonly MessageId[], channelIds: readonly ChannelId[]): Promise<PlacedMessage[]> {
    const placed: PlacedMessage[] = []
    for (const chunk of chunksOf(ids, ROWS_A_PIECE)) {
      const [oldest, newest] = [chunk[0] ?? 0, chunk.at(-1) ?? 0]
      const isDense = chunk.length * DENSE_ONE_OF >= newest - oldest && channelIds.length * DENSE_ONE_OF <= chunk.length
      const rows = isDense ? await this.#placedDensely(chunk, channelIds) : await this.#placedOneByOne(chunk)
      for (const row of rows) placed.push(row)
      await this.#pauses.letOthers()
    }
    return placed
  }

  async #placedOneByOne(ids: readonly MessageId[]): Promise<PlacedMessage[]> {
    return this.#session.all<PlacedMessage>(
      `select m.id, m.channel_id, m.topic_id, m.direct_group_id
       from ${LISTED[this.#session.dialect]} as wanted cross join message m on m.id = wanted.value order by m.id`,
      [JSON.stringify(ids)],
    )
  }

  async #placedDensely(ids: readonly MessageId[], channelIds: readonly ChannelId[]): Promise<PlacedMessage[]> {
    const range = [ids[0] ?? 0, ids.at(-1) ?? 0]
    const placeOf = new Map<MessageId, PlacedMessage>()
    for (const channelId of channelIds) {
      const rows = await this.#session.all<{ id: MessageId; topic_id: TopicId }>(
        'select id, topic_id from message where channel_id = ? and id between ? and ?',
        [channelId, ...range],
      )
      for (const { id, topic_id } of rows) {
        placeOf.set(id, { id, channel_id: channelId, topic_id, direct_group_id: null })
      }
    }
    const direct = await this.#session.all<PlacedMessage>(
      `select m.id, m.channel_id, m.topic_id, m.direct_group_id from direct_group_member g
       cross join message m on m.direct_group_id = g.group_id where g.user_id = ? and m.id between ? and ?`,
      [this.#viewer.id, ...range],
    )
    for (const row of direct) placeOf.set(row.id, row)
    return ids.flatMap((id) => placeOf.get(id) ?? [])
  }

  async #described(
    rows: readonly PlacedMessage[],
    subscriptions: ReadonlyMap<ChannelId, boolean>,
  ): Promise<UnreadMessage[]> {
    const topics = await this.#topics([...new Set(rows.flatMap((row) => row.topic_id ?? []))])
    const wildcards = await this.#session.all<{ id: MessageId }>(
      `select id from message ${throughIndex(this.#session.dialect, 'message_mentions_channel_index')}
       where mentions_channel = 1 and id between ? and ?`,
      [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0],
    )
    const mentionsChannel = new Set(wildcards.map((row) => row.id))
    return this.#pauses.map(rows, (row) => {
      const topic = row.topic_id === null ? undefined : topics.get(row.topic_id)
      const isChannelMuted = row.channel_id !== null && subscriptions.get(row.channel_id) === true
      return {
        id: row.id,
        channelId: row.channel_id,
        topic: topic?.name ?? null,
        directGroupId: row.direct_group_id,
        mentionsChannel: mentionsChannel.has(row.id),
        isMuted: isTopicMuted(topic?.policy ?? VISIBILITY.none, isChannelMuted),
      }
    })
  }

  async #topics(ids: readonly TopicId[]): Promise<Map<TopicId, { name: string; policy: VisibilityPolicy }>> {
    const found = new Map<TopicId, { name: string; policy: VisibilityPolicy }>()
    for (const chunk of chunksOf(ids, ROWS_A_PIECE)) {
      const rows = await this.#session.all<{ id: TopicId; name: string; policy: VisibilityPolicy | null }>(
        `select t.id, t.name, u.visibility_policy as policy
         from ${LISTED[this.#session.dialect]} as wanted cross join topic t on t.id = wanted.value
         left join user_topic u on u.user_id = ? and u.channel_id = t.channel_id and u.topic_key = t.topic_key`,
        [JSON.stringify(chunk), this.#viewer.id],
      )
      for (const { id, name, policy } of rows) found.set(id, { name, policy: policy ?? VISIBILITY.none })
      await this.#pauses.letOthers()
    }
    return found
  }
}

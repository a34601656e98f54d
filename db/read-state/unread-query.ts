import { chunksOf } from '../../domain/chunks.ts'
import { ascending, type ChannelId, type DirectGroupId, type MessageId } from '../../domain/ids.ts'
import { isTopicMuted, VISIBILITY, type VisibilityPolicy } from '../../domain/topics/topic-visibility.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { LISTED, throughIndex } from '../dialect.ts'
import { withoutMuted } from '../narrow/conditions.ts'
import { type NarrowOptions, NarrowQuery } from '../narrow/narrow-query.ts'
import { EVERYTHING, type ResolvedNarrow, type Viewer } from '../narrow/resolved-narrow.ts'
import { LISTED_A_PIECE, ofPlaces, ROWS_A_PIECE } from '../pieces.ts'
import type { Session } from '../session.ts'
import type { MessagesOfPlaces } from './messages-of-places.ts'
import { UserReadState } from './user-read-state.ts'

interface UnreadTopic {
  /** Ascending. */
  readonly ids: readonly MessageId[]
  readonly channelId: ChannelId
  /** In the spelling of the newest of the messages. */
  readonly topic: string
  /** Whether the topic is muted, or its channel is muted and the topic is neither unmuted nor followed. */
  readonly isMuted: boolean
}

interface UnreadConversation {
  /** Ascending. */
  readonly ids: readonly MessageId[]
  readonly groupId: DirectGroupId
}

interface Unread {
  /** Ascending. */
  readonly ids: readonly MessageId[]
  /** By their oldest message. */
  readonly topics: readonly UnreadTopic[]
  /** By their oldest message. */
  readonly conversations: readonly UnreadConversation[]
  /** Those of `ids` that mention their whole channel, perhaps with others. */
  readonly channelMentions: ReadonlySet<MessageId>
  /** Whether there are older ones. */
  readonly isMore: boolean
}

/** Subscribed channels, and whether each is muted. */
type Subscriptions = ReadonlyMap<ChannelId, boolean>

interface PlacedMessage {
  readonly id: MessageId
  /** ID of the topic (a row for each spelling), or of the direct group with a minus sign. */
  readonly place: number
}

interface TopicRow {
  readonly id: number
  readonly name: string
  readonly topic_key: string
  readonly channel_id: ChannelId
  readonly policy: VisibilityPolicy | null
}

/** If more than one in this many IDs is unread, the index of each channel is scanned instead of looking up each ID. */
const DENSE_ONE_OF = 4

/** The unread messages of a user: received, and not marked as read. */
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

  /**
   * Returns all unread messages that are in these places now, ascending, muted ones too. Goes from the places, so that
   * unread messages elsewhere cost nothing.
   *
   * @param openedIds see `ResolvedNarrow`
   */
  async inPlaces(
    placeIds: readonly number[],
    messages: MessagesOfPlaces,
    openedIds: readonly ChannelId[] = [],
  ): Promise<MessageId[]> {
    const state = await this.#state()
    const least = await state.leastUnread()
    if (least === undefined) return []
    const unread: number[] = []
    for (const placeId of placeIds) {
      for (const ids of chunksOf(await messages.from(placeId, least), ROWS_A_PIECE)) {
        for (const id of ids) if (!state.isRead(id)) unread.push(id)
        await this.#pauses.letOthers()
      }
    }
    return this.#query({ ...EVERYTHING, openedIds }).among(unread)
  }

  /**
   * Returns the newest `limit` unread messages that count: in conversations, and in active channels to which the user
   * is subscribed now.
   */
  async newest(limit: number): Promise<Unread> {
    const subscriptions = await this.#subscriptions()
    // Pages from the newest to the oldest, each ascending.
    const found: PlacedMessage[][] = []
    let waiting: MessageId[][] = []
    let waits = 0
    let missing = limit + 1
    const place = async (): Promise<void> => {
      const page = await this.#placed(waiting.toReversed().flat(), subscriptions)
      found.push(page)
      missing -= page.length
      waiting = []
      waits = 0
    }
    for await (const part of (await this.#state()).unreadParts('desc')) {
      waiting.push(part)
      waits += part.length
      if (waits >= missing) await place()
      if (missing <= 0) break
    }
    await place()
    const all = found.toReversed().flat()
    const rows = all.slice(-limit)
    return {
      ids: rows.map((row) => row.id),
      ...(await this.#byConversation(rows, subscriptions)),
      channelMentions: await this.#channelMentions(rows),
      isMore: all.length > rows.length,
    }
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

  /** Without archived channels. */
  async #subscriptions(): Promise<Subscriptions> {
    const rows = await this.#session.all<{ channel_id: ChannelId; is_muted: number }>(
      `select s.channel_id, s.is_muted from subscription s join channel c on c.id = s.channel_id
       where s.user_id = ? and s.is_active = 1 and c.is_archived = 0`,
      [this.#viewer.id],
    )
    return new Map(rows.map((row) => [row.channel_id, row.is_muted === 1]))
  }

  /** Returns those of `ids` (ascending) that exist and count, ascending. */
  async #placed(ids: readonly MessageId[], subscriptions: Subscriptions): Promise<PlacedMessage[]> {
    const pages: PlacedMessage[][] = []
    for (const chunk of chunksOf(ids, ROWS_A_PIECE)) {
      const [oldest, newest] = [chunk[0] ?? 0, chunk.at(-1) ?? 0]
      const isDense =
        chunk.length * DENSE_ONE_OF >= newest - oldest && subscriptions.size * DENSE_ONE_OF <= chunk.length
      pages.push(
        await (isDense ? this.#placedDensely(chunk, subscriptions) : this.#placedOneByOne(chunk, subscriptions)),
      )
      await this.#pauses.letOthers()
    }
    return pages.flat()
  }

  async #placedOneByOne(ids: readonly MessageId[], subscriptions: Subscriptions): Promise<PlacedMessage[]> {
    const rows = await this.#session.all<{
      id: MessageId
      channel_id: ChannelId | null
      topic_id: number | null
      direct_group_id: number | null
    }>(
      `select m.id, m.channel_id, m.topic_id, m.direct_group_id
       from ${LISTED[this.#session.dialect]} as wanted cross join message m on m.id = wanted.value order by m.id`,
      [JSON.stringify(ids)],
    )
    const placed: PlacedMessage[] = []
    for (const { id, channel_id: channelId, topic_id: topicId, direct_group_id: groupId } of rows) {
      if (channelId !== null && !subscriptions.has(channelId)) continue
      placed.push({ id, place: topicId ?? -(groupId ?? 0) })
    }
    return placed
  }

  async #placedDensely(ids: readonly MessageId[], subscriptions: Subscriptions): Promise<PlacedMessage[]> {
    const [oldest, newest] = [ids[0] ?? 0, ids.at(-1) ?? 0]
    // 0: not there.
    const places = new Float64Array(newest - oldest + 1)
    for (const channelIds of chunksOf([...subscriptions.keys()], LISTED_A_PIECE)) {
      const columns = 'm.id, m.topic_id'
      const { sql, params } = ofPlaces(this.#session, columns, 'channel_id', channelIds, [oldest, newest])
      const rows = await this.#session.all<{ id: MessageId; topic_id: number }>(sql, params)
      for (const { id, topic_id: topicId } of rows) places[id - oldest] = topicId
    }
    const direct = await this.#session.all<{ id: MessageId; group_id: number }>(
      `select m.id, g.group_id from direct_group_member g
       cross join message m on m.direct_group_id = g.group_id where g.user_id = ? and m.id between ? and ?`,
      [this.#viewer.id, oldest, newest],
    )
    for (const { id, group_id: groupId } of direct) places[id - oldest] = -groupId
    const placed: PlacedMessage[] = []
    for (const id of ids) {
      const place = places[id - oldest]
      if (place) placed.push({ id, place })
    }
    return placed
  }

  async #byConversation(
    rows: readonly PlacedMessage[],
    subscriptions: Subscriptions,
  ): Promise<Pick<Unread, 'topics' | 'conversations'>> {
    const idsOf = new Map<number, MessageId[]>()
    for (const chunk of chunksOf(rows, ROWS_A_PIECE)) {
      for (const { id, place } of chunk) {
        const ids = idsOf.get(place)
        if (ids) ids.push(id)
        else idsOf.set(place, [id])
      }
      await this.#pauses.letOthers()
    }
    const rowOf = await this.#topics([...idsOf.keys()].filter((place) => place > 0))
    const topics: UnreadTopic[] = []
    const conversations: UnreadConversation[] = []
    const conversationOf = ([place]: readonly [number, unknown]): string | number => {
      const topic = rowOf.get(place)
      return topic ? `${topic.channel_id}:${topic.topic_key}` : place
    }
    for (const spellings of Map.groupBy(idsOf, conversationOf).values()) {
      if ((topics.length + conversations.length) % ROWS_A_PIECE === 0) await this.#pauses.letOthers()
      const [[, only] = []] = spellings
      const ids = only && spellings.length === 1 ? only : ascending(spellings.flatMap(([, some]) => some))
      const [place = 0] = spellings.find(([, some]) => some.at(-1) === ids.at(-1)) ?? []
      const topic = rowOf.get(place)
      if (topic) {
        const { channel_id: channelId, name, policy } = topic
        const isMuted = isTopicMuted(policy ?? VISIBILITY.none, subscriptions.get(channelId) === true)
        topics.push({ ids, channelId, topic: name, isMuted })
      } else {
        conversations.push({ ids, groupId: -place as DirectGroupId })
      }
    }
    return { topics, conversations }
  }

  async #channelMentions(rows: readonly PlacedMessage[]): Promise<Set<MessageId>> {
    const found = await this.#session.all<{ id: MessageId }>(
      `select id from message ${throughIndex(this.#session.dialect, 'message_mentions_channel_index')}
       where mentions_channel = 1 and id between ? and ?`,
      [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0],
    )
    return new Set(found.map((row) => row.id))
  }

  /** Returns topics by ID, each with the user's policy for it. */
  async #topics(ids: readonly number[]): Promise<Map<number, TopicRow>> {
    const found = new Map<number, TopicRow>()
    for (const chunk of chunksOf(ids, ROWS_A_PIECE)) {
      const rows = await this.#session.all<TopicRow>(
        `select t.id, t.name, t.topic_key, t.channel_id, u.visibility_policy as policy
         from ${LISTED[this.#session.dialect]} as wanted cross join topic t on t.id = wanted.value
         left join user_topic u on u.user_id = ? and u.channel_id = t.channel_id and u.topic_key = t.topic_key`,
        [JSON.stringify(chunk), this.#viewer.id],
      )
      for (const row of rows) found.set(row.id, row)
      await this.#pauses.letOthers()
    }
    return found
  }
}

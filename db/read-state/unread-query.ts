import { chunksOf } from '../../domain/chunks.ts'
import { ascending, type ChannelId, type DirectGroupId, type MessageId } from '../../domain/ids.ts'
import { isTopicMuted, VISIBILITY, type VisibilityPolicy } from '../../domain/topics/topic-visibility.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { LISTED, throughIndex } from '../dialect.ts'
import { withoutMuted } from '../narrow/conditions.ts'
import { type NarrowOptions, NarrowQuery } from '../narrow/narrow-query.ts'
import { EVERYTHING, type ResolvedNarrow, type Viewer } from '../narrow/resolved-narrow.ts'
import { ROWS_A_PIECE } from '../pieces.ts'
import type { Session } from '../session.ts'
import { type PlacesOf, placesInTable } from './message-places.ts'
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
  /** See `PlacesOf`. */
  readonly place: number
}

interface TopicRow {
  readonly id: number
  readonly name: string
  readonly topic_key: string
  readonly channel_id: ChannelId
  readonly policy: VisibilityPolicy | null
}

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
  async newest(limit: number, placesOf: PlacesOf = placesInTable(this.#session)): Promise<Unread> {
    const subscriptions = await this.#subscriptions()
    const topics = new Map<number, TopicRow>()
    // Pages from the newest to the oldest, each ascending.
    const found: PlacedMessage[][] = []
    let waiting: MessageId[][] = []
    let waits = 0
    let missing = limit + 1
    const place = async (): Promise<void> => {
      const ids = waiting.toReversed().flat()
      const places = await placesOf(ids, this.#pauses)
      await this.#addTopics(topics, places)
      const page: PlacedMessage[] = []
      for (const [index, id] of ids.entries()) {
        const place = places[index] ?? 0
        const topic = topics.get(place)
        if (topic ? subscriptions.has(topic.channel_id) : place < 0) page.push({ id, place })
      }
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
      ...(await this.#byConversation(rows, topics, subscriptions)),
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

  async #byConversation(
    rows: readonly PlacedMessage[],
    rowOf: ReadonlyMap<number, TopicRow>,
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

  /** Adds the topics that are missing, each with the user's policy for it. */
  async #addTopics(topics: Map<number, TopicRow>, places: readonly number[]): Promise<void> {
    const missing = new Set(places.filter((place) => place > 0 && !topics.has(place)))
    for (const chunk of chunksOf([...missing], ROWS_A_PIECE)) {
      const rows = await this.#session.all<TopicRow>(
        `select t.id, t.name, t.topic_key, t.channel_id, u.visibility_policy as policy
         from ${LISTED[this.#session.dialect]} as wanted cross join topic t on t.id = wanted.value
         left join user_topic u on u.user_id = ? and u.channel_id = t.channel_id and u.topic_key = t.topic_key`,
        [JSON.stringify(chunk), this.#viewer.id],
      )
      for (const row of rows) topics.set(row.id, row)
      await this.#pauses.letOthers()
    }
  }
}

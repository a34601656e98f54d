import { chunksOf } from '../../domain/chunks.ts'
import type { ChannelId, DirectGroupId, MessageId } from '../../domain/ids.ts'
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

/** Two lists instead of a list of pairs, which would be half of the garbage of a registration. */
interface PlacedMessages {
  /** Ascending. */
  readonly ids: MessageId[]
  /** The place of each; see `PlacesOf`. */
  readonly places: number[]
}

interface TopicRow {
  readonly id: number
  readonly name: string
  readonly topic_key: string
  readonly channel_id: ChannelId
}

/** Returns what all spellings of a topic have in common. */
function topicPlace(topic: { readonly channel_id: ChannelId; readonly topic_key: string }): string {
  return `${topic.channel_id}:${topic.topic_key}`
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
    let found: PlacedMessages = { ids: [], places: [] }
    let waiting: MessageId[][] = []
    let waits = 0
    let missing = limit + 1
    const place = async (): Promise<void> => {
      const ids = waiting.toReversed().flat()
      const places = await placesOf(ids, this.#pauses)
      await this.#addTopics(topics, places)
      const page: PlacedMessages = { ids: [], places: [] }
      for (let index = 0; index < ids.length; index += 1) {
        const place = places[index] ?? 0
        const topic = topics.get(place)
        if (topic ? !subscriptions.has(topic.channel_id) : place >= 0) continue
        page.ids.push(ids[index] as MessageId)
        page.places.push(place)
      }
      missing -= page.ids.length
      found = { ids: page.ids.concat(found.ids), places: page.places.concat(found.places) }
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
    const unread = { ids: found.ids.slice(-limit), places: found.places.slice(-limit) }
    return {
      ids: unread.ids,
      ...(await this.#byConversation(unread, topics, subscriptions)),
      channelMentions: await this.#channelMentions(unread.ids),
      isMore: found.ids.length > unread.ids.length,
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
    { ids: unread, places }: PlacedMessages,
    rowOf: ReadonlyMap<number, TopicRow>,
    subscriptions: Subscriptions,
  ): Promise<Pick<Unread, 'topics' | 'conversations'>> {
    const found = new Map<string | number, { ids: MessageId[]; place: number }>()
    const conversationAt = new Map<number, { ids: MessageId[]; place: number }>()
    for (let index = 0; index < unread.length; index += 1) {
      if (index % ROWS_A_PIECE === 0) await this.#pauses.letOthers()
      const place = places[index] ?? 0
      let conversation = conversationAt.get(place)
      if (!conversation) {
        const topic = rowOf.get(place)
        const key = topic ? topicPlace(topic) : place
        conversation = found.get(key) ?? { ids: [], place }
        found.set(key, conversation)
        conversationAt.set(place, conversation)
      }
      conversation.ids.push(unread[index] as MessageId)
      conversation.place = place
    }
    const policies = await this.#policies()
    const topics: UnreadTopic[] = []
    const conversations: UnreadConversation[] = []
    for (const [key, { ids, place }] of found) {
      if ((topics.length + conversations.length) % ROWS_A_PIECE === 0) await this.#pauses.letOthers()
      const topic = rowOf.get(place)
      if (topic) {
        const { channel_id: channelId, name } = topic
        const policy = policies.get(key) ?? VISIBILITY.none
        const isMuted = isTopicMuted(policy, subscriptions.get(channelId) === true)
        topics.push({ ids, channelId, topic: name, isMuted })
      } else {
        conversations.push({ ids, groupId: -place as DirectGroupId })
      }
    }
    return { topics, conversations }
  }

  async #channelMentions(unread: readonly MessageId[]): Promise<Set<MessageId>> {
    const found = await this.#session.all<{ id: MessageId }>(
      `select id from message ${throughIndex(this.#session.dialect, 'message_mentions_channel_index')}
       where mentions_channel = 1 and id between ? and ?`,
      [unread[0] ?? 0, unread.at(-1) ?? 0],
    )
    return new Set(found.map((row) => row.id))
  }

  /** Returns the user's policies by `topicPlace`. */
  async #policies(): Promise<ReadonlyMap<string | number, VisibilityPolicy>> {
    const rows = await this.#session.all<{ channel_id: ChannelId; topic_key: string; policy: VisibilityPolicy }>(
      'select channel_id, topic_key, visibility_policy as policy from user_topic where user_id = ?',
      [this.#viewer.id],
    )
    return new Map(rows.map((row) => [topicPlace(row), row.policy]))
  }

  /** Adds the topics that are missing. */
  async #addTopics(topics: Map<number, TopicRow>, places: readonly number[]): Promise<void> {
    const missing = new Set<number>()
    for (const place of places) if (place > 0 && !topics.has(place)) missing.add(place)
    for (const chunk of chunksOf([...missing], ROWS_A_PIECE)) {
      const rows = await this.#session.all<TopicRow>(
        `select t.id, t.name, t.topic_key, t.channel_id
         from ${LISTED[this.#session.dialect]} as wanted cross join topic t on t.id = wanted.value`,
        [JSON.stringify(chunk)],
      )
      for (const row of rows) topics.set(row.id, row)
      await this.#pauses.letOthers()
    }
  }
}

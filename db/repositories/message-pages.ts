import { ascending, type ChannelId, type DirectGroupId, type MessageId, type UserId } from '../../domain/ids.ts'
import type { Place } from '../../domain/messages/message.ts'
import { blockOf, isRead } from '../../domain/messages/read-state.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { LISTED, listOf } from '../dialect.ts'
import type { Viewer } from '../narrow/resolved-narrow.ts'
import { Repository } from '../repository.ts'
import type { Session } from '../session.ts'
import { accessColumns, accessOf, type MessageAccess } from './message-access.ts'
import { ReactionReader } from './reactions.ts'
import { ReadStateReader } from './read-state.ts'
import { SubmessageReader } from './submessages.ts'
import {
  channelPlace,
  MESSAGE_COLUMNS,
  type MessageRow,
  People,
  type ShownMessage,
  shownMessage,
} from './viewed-messages.ts'

/** The texts of a message that are read; the other one is empty. */
export interface WantedTexts {
  readonly content: boolean
  readonly renderedContent: boolean
}

/** Row of a page: the facts that decide whether the viewer may see the message, and its size. */
export interface MessageHead {
  readonly id: MessageId
  /** Null for direct messages. */
  readonly channelId: ChannelId | null
  readonly wasReceived: boolean
  /** Null for direct messages. `isSubscribed` is false if the viewer's role is enough. */
  readonly channel: Pick<
    NonNullable<MessageAccess['channel']>,
    'inviteOnly' | 'historyPublicToSubscribers' | 'isSubscribed'
  > | null
  /** Approximate size in an answer: both texts, former versions, additions to its widget, and reactions. */
  readonly bytes: number
  /** Whether its texts were not read, because the message is long and must be read separately. */
  readonly isLong: boolean
  readonly row: PageRow
  readonly page: PageFacts
}

interface PageRow extends MessageRow {
  readonly topic_id: number | null
  readonly content: string | null
  readonly rendered_content: string | null
  readonly own_bytes: number
}

/** Data that all rows of a page share. */
interface PageFacts {
  readonly viewerId: UserId
  readonly readThrough: number
  /** Bytes of reactions and submessages by message. */
  readonly reactions: ReadonlyMap<number, number>
  readonly submessages: ReadonlyMap<number, number>
}

/**
 * If the texts and former versions of a message are longer in total, they are not read with their page, because a
 * hundred such messages may be gigabytes.
 */
const LONG_BYTES = 32 * 1024

/** Approximate bytes in an answer of an addition to a widget besides its content, and of a reaction. */
const SUBMESSAGE_BYTES = 100
const REACTION_BYTES = 100

const OWN_BYTES =
  '(octet_length(m.content) + octet_length(m.rendered_content) + coalesce(octet_length(m.edit_history), 0))'

function unlessLong(column: string): string {
  return `case when m.${column} is not null and ${OWN_BYTES} <= ${LONG_BYTES} then m.${column} end as ${column}`
}

const statements = new Map<string, string>()

/** Each variant is built once, because prepared statements are found by their text. */
function headsSql(dialect: Session['dialect'], { content, renderedContent }: WantedTexts): string {
  const key = `${dialect} ${content} ${renderedContent}`
  const known = statements.get(key)
  if (known !== undefined) return known
  const columns = [...(content ? ['content'] : []), ...(renderedContent ? ['rendered_content'] : []), 'edit_history']
  const sql = `select ${MESSAGE_COLUMNS}, m.topic_id, ${columns.map(unlessLong).join(', ')}, ${OWN_BYTES} as own_bytes,
      ${accessColumns('?', '(c.invite_only = 0 and ? <> ?)')}
    from ${LISTED[dialect]} as wanted cross join message m on m.id = wanted.value
    left join topic t on t.id = m.topic_id left join channel c on c.id = m.channel_id
    left join message_flag f on f.user_id = ? and f.message_id = m.id`
  statements.set(key, sql)
  return sql
}

/**
 * Whether other tables have rows about messages in a range of IDs. Usually they have none, and nothing is looked up.
 */
const FACTS = `select u.read_through,
  exists (select 1 from reaction where message_id between ? and ?) as has_reactions,
  exists (select 1 from submessage where message_id between ? and ?) as has_submessages
  from user u where u.id = ?`
const REACTION_SIZES = `select message_id as id, count(*) * ${REACTION_BYTES} as bytes from reaction where message_id in`
const SUBMESSAGE_SIZES = `select message_id as id, sum(octet_length(content) + ${SUBMESSAGE_BYTES}) as bytes
  from submessage where message_id in`

const NONE = new Map<number, never>()

/**
 * Reads messages by the hundred in two steps: first their rows, then the other tables for the visible ones, with one
 * look-up for each table. With joins, senders and read blocks alone took half of the time of a page.
 */
export class MessagePageReader extends Repository {
  /**
   * Returns the heads of those of `ids` that exist, by ascending ID. Check permissions/access-message.ts before showing
   * anything, because the texts are read together with the facts for that check.
   */
  async heads(viewer: Viewer, ids: readonly MessageId[], wanted: WantedTexts): Promise<MessageHead[]> {
    const sorted = ascending(ids)
    const [first, last] = [sorted[0], sorted.at(-1)]
    if (first === undefined || last === undefined) return []
    const rows = await this.session.all<PageRow>(headsSql(this.session.dialect, wanted), [
      viewer.role,
      ROLE.guest,
      viewer.id,
      viewer.id,
      viewer.id,
      JSON.stringify(sorted),
      viewer.id,
    ])
    const page = await this.#facts(viewer.id, sorted, [first, last])
    // The rows are usually in order already, but the database does not guarantee it.
    return rows.sort((a, b) => a.id - b.id).map((row) => headOf(row, page))
  }

  /**
   * Returns the messages of one page in full, except long ones. At most three queries without reactions, widgets and
   * conversations.
   */
  async messages(heads: readonly MessageHead[]): Promise<ShownMessage[]> {
    const [first] = heads
    if (!first) return []
    const { viewerId, readThrough, reactions: reacted, submessages: extended } = first.page
    const groupIds = heads.flatMap(({ row }) => (row.direct_group_id === null ? [] : [row.direct_group_id]))
    const people = await People.load(
      this.session,
      heads.map(({ row }) => row.sender_id),
      groupIds as DirectGroupId[],
    )
    const blocks = await new ReadStateReader(this.session).blocks(viewerId, [
      ...new Set(heads.map(({ id }) => blockOf(id))),
    ])
    const having = (sizes: ReadonlyMap<number, number>) => heads.flatMap(({ id }) => (sizes.has(id) ? [id] : []))
    const reactions = reacted.size === 0 ? NONE : await new ReactionReader(this.session).ofMessages(having(reacted))
    const submessages =
      extended.size === 0 ? NONE : await new SubmessageReader(this.session).ofMessages(having(extended))
    const placeOf = places(people)
    return heads.flatMap((head) => {
      const { row, id } = head
      const sender = people.sender(row.sender_id)
      if (!sender || head.isLong) return []
      return shownMessage(row, head.wasReceived, {
        sender,
        place: placeOf(row),
        content: row.content ?? '',
        renderedContent: row.rendered_content ?? '',
        isRead: isRead(id, readThrough, blocks.get(blockOf(id))),
        reactions: reactions.get(id) ?? [],
        submessages: submessages.get(id) ?? [],
      })
    })
  }

  async #facts(
    viewerId: UserId,
    ids: readonly MessageId[],
    span: readonly [first: number, last: number],
  ): Promise<PageFacts> {
    const facts = await this.session.get<{ read_through: number; has_reactions: number; has_submessages: number }>(
      FACTS,
      [...span, ...span, viewerId],
    )
    return {
      viewerId,
      readThrough: facts?.read_through ?? 0,
      reactions: facts?.has_reactions === 1 ? await this.#sizes(REACTION_SIZES, ids) : NONE,
      submessages: facts?.has_submessages === 1 ? await this.#sizes(SUBMESSAGE_SIZES, ids) : NONE,
    }
  }

  async #sizes(sql: string, ids: readonly MessageId[]): Promise<ReadonlyMap<number, number>> {
    const list = listOf(this.session.dialect, ids)
    const rows = await this.session.all<{ id: number; bytes: number }>(
      `${sql} ${list.sql} group by message_id`,
      list.params,
    )
    // MariaDB's sums are decimals, which are returned as text.
    return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
  }
}

function headOf(row: PageRow, page: PageFacts): MessageHead {
  const { wasReceived, channel } = accessOf(row)
  const ownBytes = Number(row.own_bytes)
  return {
    id: row.id as MessageId,
    channelId: row.channel_id as ChannelId | null,
    wasReceived,
    channel,
    bytes: ownBytes + (page.reactions.get(row.id) ?? 0) + (page.submessages.get(row.id) ?? 0),
    isLong: ownBytes > LONG_BYTES,
    row,
    page,
  }
}

/** Messages of one topic share their place, so that its JSON is made once (domain/messages/message-json.ts). */
function places(people: People): (row: PageRow) => Place {
  const known = new Map<string, Place>()
  return (row) => {
    const key = row.channel_id === null ? `g${row.direct_group_id}` : `${row.channel_id} ${row.topic_id}`
    const place = known.get(key) ?? channelPlace(row) ?? people.conversation(row.direct_group_id as DirectGroupId)
    known.set(key, place)
    return place
  }
}

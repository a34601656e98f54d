import { chunksOf } from '../../domain/chunks.ts'
import type { ChannelId, DirectGroupId, MessageId, TopicId, UserId } from '../../domain/ids.ts'
import type { EditHistoryEntry, Place } from '../../domain/messages/message.ts'
import { type BlockForm, isRead } from '../../domain/messages/read-state.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { listOf } from '../dialect.ts'
import { firstSentFrom } from '../narrow/first-sent.ts'
import { Repository } from '../repository.ts'
import { accessColumns, accessOf } from './message-access.ts'
import { ReactionReader } from './reactions.ts'
import { SubmessageReader } from './submessages.ts'
import { TopicWriter } from './topics.ts'
import {
  channelPlace,
  MESSAGE_COLUMNS,
  type MessageRow,
  type MessageToChange,
  People,
  shownMessage,
  type ViewedMessage,
} from './viewed-messages.ts'

/** Includes the parts that pages read for many messages at once (message-pages.ts). */
interface WholeRow extends MessageRow {
  readonly content: string
  readonly rendered_content: string
  readonly sender_email: string
  readonly sender_stand_in: string | null
  readonly sender_full_name: string
  readonly sender_avatar_key: string | null
  readonly sender_avatar_version: number
  readonly has_submessages: number
  readonly read_through: number
  readonly block_form: number | null
  readonly block_bits: Uint8Array | null
  readonly has_reactions: number
}

/**
 * One statement for everything of a viewer's message except the names in a conversation. With one message, the number
 * of statements is the main cost.
 */
const viewedWith = (history: string) => `select ${MESSAGE_COLUMNS}, m.content, m.rendered_content, ${history},
  s.email as sender_email, s.stand_in_email as sender_stand_in, s.full_name as sender_full_name,
  s.avatar_key as sender_avatar_key, s.avatar_version as sender_avatar_version,
  ${accessColumns('v.id')}, v.read_through, r.form as block_form, r.bits as block_bits,
  exists (select 1 from submessage a where a.message_id = m.id) as has_submessages,
  exists (select 1 from reaction e where e.message_id = m.id) as has_reactions
from message m join user v on v.id = ? join user s on s.id = m.sender_id
left join topic t on t.id = m.topic_id left join channel c on c.id = m.channel_id
left join message_flag f on f.user_id = v.id and f.message_id = m.id
left join read_block r on r.user_id = v.id and r.block = m.id >> 12 where m.id = ?`
const VIEWED = viewedWith('m.edit_history')
const TO_CHANGE = viewedWith('null as edit_history')

const NOTHING = new Map<MessageId, never>()

function isRowRead(row: WholeRow): boolean {
  const { block_form: form, block_bits: bits } = row
  const block = form === null ? undefined : { form: form as BlockForm, bits: bits ?? new Uint8Array() }
  return isRead(row.id, row.read_through, block)
}

export class MessageReader extends Repository {
  /**
   * Returns at most `limit` of the first messages of a channel or conversation that were sent before `before` (Unix
   * seconds), by ascending ID.
   */
  async oldest(
    place: { readonly channelId: ChannelId } | { readonly groupId: DirectGroupId },
    before: number,
    limit: number,
  ): Promise<MessageId[]> {
    const [column, id] = 'channelId' in place ? ['channel_id', place.channelId] : ['direct_group_id', place.groupId]
    // Without a bound, all newer messages would be looked at. Dates below it may be later, if the clock was ahead.
    const rows = await this.session.all<{ id: MessageId }>(
      `select id from message where ${column} = ? and id < ? and sent_at < ? order by id limit ?`,
      [id, await firstSentFrom(this.session, before), before, limit],
    )
    return rows.map((row) => row.id)
  }

  /** Returns the ID of the channel's oldest message; null without any. */
  async firstInChannel(channelId: ChannelId): Promise<MessageId | null> {
    const row = await this.session.get<{ id: MessageId }>(
      'select id from message where channel_id = ? order by id limit 1',
      [channelId],
    )
    return row?.id ?? null
  }

  async isAnyInConversation(groupId: DirectGroupId): Promise<boolean> {
    const row = await this.session.get('select 1 from message where direct_group_id = ? limit 1', [groupId])
    return row !== undefined
  }

  /** Returns undefined if it does not exist. Check permissions/access-message.ts before showing anything of it. */
  async viewed(viewerId: UserId, id: MessageId): Promise<ViewedMessage | undefined> {
    return this.#viewed(viewerId, id, true)
  }

  /** As `viewed`, for somebody who changes the message. */
  async toChange(viewerId: UserId, id: MessageId): Promise<MessageToChange | undefined> {
    return this.#viewed(viewerId, id, false)
  }

  async #viewed(viewerId: UserId, id: MessageId, isWhole: boolean): Promise<ViewedMessage | undefined> {
    const row = await this.session.get<WholeRow>(isWhole ? VIEWED : TO_CHANGE, [viewerId, id])
    if (!row) return undefined
    const isReacted = isWhole && row.has_reactions === 1
    const reactions = isReacted ? await new ReactionReader(this.session).ofMessages([id]) : NOTHING
    const submessages = row.has_submessages === 1 ? await new SubmessageReader(this.session).ofMessages([id]) : NOTHING
    const access = accessOf(row)
    const shown = shownMessage(row, access.wasReceived, {
      sender: {
        id: row.sender_id as UserId,
        email: row.sender_email,
        standInEmail: row.sender_stand_in,
        fullName: row.sender_full_name,
        avatarKey: row.sender_avatar_key,
        avatarVersion: row.sender_avatar_version,
      },
      place: channelPlace(row) ?? (await this.#conversation(row.direct_group_id as DirectGroupId)),
      content: row.content,
      renderedContent: row.rendered_content,
      isRead: isRowRead(row),
      reactions: reactions.get(id) ?? [],
      submessages: submessages.get(id) ?? [],
    })
    return { message: shown.message, flags: shown.flags, wasReceived: access.wasReceived, channel: access.channel }
  }

  /** Size of its `editHistory`. */
  async historyBytes(id: MessageId): Promise<number> {
    const sql = 'select octet_length(edit_history) as bytes from message where id = ?'
    return (await this.session.get<{ bytes: number | null }>(sql, [id]))?.bytes ?? 0
  }

  /** Whether it mentions everybody in its channel. */
  async mentionsChannel(id: MessageId): Promise<boolean> {
    const sql = 'select mentions_channel from message where id = ?'
    return (await this.session.get<{ mentions_channel: number }>(sql, [id]))?.mentions_channel === 1
  }

  async #conversation(id: DirectGroupId): Promise<Place> {
    return (await People.load(this.session, [], [id])).conversation(id)
  }
}

/** New content of an edited message. */
export interface EditedContent {
  readonly id: MessageId
  readonly content: string
  readonly renderedContent: string
  readonly isMeMessage: boolean
  readonly hasLink: boolean
  readonly mentionsChannel: boolean
  readonly lastEditedAt: number
  /** Added to its history. */
  readonly entry: EditHistoryEntry
}

/** Destination of moved messages, and the history of the move. */
export interface MovedTo {
  readonly channelId: ChannelId
  readonly topicId: TopicId
  readonly movedAt: number | undefined
  readonly entry: EditHistoryEntry | undefined
  /** Whether the entry replaces the whole history of each message; false by default. */
  readonly isEntryAll?: boolean
}

/**
 * Number of messages in one statement. On SQLite, which cannot be interrupted, a statement takes a few milliseconds. On
 * MariaDB only other writers wait, and round trips are the main cost.
 */
const MOVED_A_STATEMENT = { sqlite: 200, mariadb: 1000 } as const

export interface NewMessage {
  readonly id: MessageId
  readonly senderId: UserId
  readonly place:
    | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly topicId: TopicId }
    | { readonly kind: 'direct'; readonly groupId: DirectGroupId }
  readonly sentAt: number
  readonly client: string
  readonly isMeMessage: boolean
  readonly hasLink: boolean
  readonly hasImage: boolean
  readonly hasAttachment: boolean
  readonly mentionsChannel: boolean
  readonly content: string
  readonly renderedContent: string
}

const INSERT = `insert into message (id, sender_id, channel_id, origin_channel_id, topic_id, direct_group_id, sent_at,
  client, is_me_message, has_link, has_image, has_attachment, mentions_channel, content, rendered_content)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Adds an entry in front, without reading the others. */
const WITH_ENTRY = 'edit_history = case when edit_history is null then ? else concat(?, substr(edit_history, 2)) end'

/** Values of WITH_ENTRY. */
function withEntry(entry: EditHistoryEntry): string[] {
  const json = JSON.stringify(entry)
  return [`[${json}]`, `[${json},`]
}

export class MessageWriter extends MessageReader {
  async insert(message: NewMessage): Promise<void> {
    const { place } = message
    const channelId = place.kind === 'channel' ? place.channelId : null
    await this.session.run(INSERT, [
      message.id,
      message.senderId,
      channelId,
      channelId,
      place.kind === 'channel' ? place.topicId : null,
      place.kind === 'direct' ? place.groupId : null,
      message.sentAt,
      message.client,
      message.isMeMessage ? 1 : 0,
      message.hasLink ? 1 : 0,
      message.hasImage ? 1 : 0,
      message.hasAttachment ? 1 : 0,
      message.mentionsChannel ? 1 : 0,
      message.content,
      message.renderedContent,
    ])
  }

  /** Sets whether the message refers to uploaded files, and to pictures among them. */
  async setAttachmentMarks(id: MessageId, marks: { hasAttachment: boolean; hasImage: boolean }): Promise<void> {
    await this.session.run('update message set has_attachment = ?, has_image = ? where id = ?', [
      marks.hasAttachment ? 1 : 0,
      marks.hasImage ? 1 : 0,
      id,
    ])
  }

  async updateContent(edited: EditedContent): Promise<void> {
    await this.session.run(
      `update message set content = ?, rendered_content = ?, is_me_message = ?, has_link = ?, mentions_channel = ?,
         last_edited_at = ?, ${WITH_ENTRY} where id = ?`,
      [
        edited.content,
        edited.renderedContent,
        edited.isMeMessage ? 1 : 0,
        edited.hasLink ? 1 : 0,
        edited.mentionsChannel ? 1 : 0,
        edited.lastEditedAt,
        ...withEntry(edited.entry),
        edited.id,
      ],
    )
  }

  /** Stores a new rendering of unchanged content. */
  async setRenderedContent(id: MessageId, renderedContent: string): Promise<void> {
    await this.session.run('update message set rendered_content = ? where id = ?', [renderedContent, id])
  }

  /**
   * Moves messages to a topic of a channel; others are served in between (SEC-LOOP-4).
   *
   * @param movedAt UNIX seconds; undefined if it does not count as a move, such as when a topic is resolved
   * @param entry for their histories; undefined if it has been written
   */
  async move(
    ids: readonly MessageId[],
    { channelId, topicId, movedAt, entry, isEntryAll = false }: MovedTo,
    pauses: Pauses,
  ): Promise<void> {
    const history = isEntryAll ? 'edit_history = ?' : WITH_ENTRY
    const entries = !entry ? [] : isEntryAll ? [JSON.stringify([entry])] : withEntry(entry)
    for (const chunk of chunksOf(ids, MOVED_A_STATEMENT[this.session.dialect])) {
      // Does not select from the list, because MariaDB would then scan the table.
      const list = listOf(this.session.dialect, chunk)
      await this.session.run(
        `update message set ${entry ? `${history},` : ''} channel_id = ?, topic_id = ?, last_moved_at = coalesce(?, last_moved_at)
         where id in ${list.sql}`,
        [...entries, channelId, topicId, movedAt ?? null, ...list.params],
      )
      await pauses.letOthers()
    }
  }

  /** Deletes the messages, at least one, with all flags, reactions and additions. */
  async remove(ids: readonly MessageId[]): Promise<void> {
    const list = listOf(this.session.dialect, ids)
    for (const table of ['message_flag', 'reaction', 'submessage']) {
      await this.session.run(`delete from ${table} where message_id in ${list.sql}`, list.params)
    }
    const rows = await this.session.all<{ topic_id: TopicId; newest: MessageId }>(
      `select topic_id, max(id) as newest from message where id in ${list.sql} and topic_id is not null group by topic_id`,
      list.params,
    )
    await this.session.run(`delete from message where id in ${list.sql}`, list.params)
    const topics = new TopicWriter(this.session)
    for (const { topic_id: topicId, newest } of rows) await topics.forget(topicId, newest)
  }
}

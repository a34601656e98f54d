import type { ChannelId, DirectGroupId, MessageId, TopicId, UserId } from '../../domain/ids.ts'
import type { MessageFlags } from '../../domain/messages/flags.ts'
import type { EditHistoryEntry, Message, Place, Reaction } from '../../domain/messages/message.ts'
import { type BlockForm, isRead } from '../../domain/messages/read-state.ts'
import type { Submessage } from '../../domain/messages/submessage.ts'
import type { User } from '../../domain/users/user.ts'
import { LISTED, listOf } from '../dialect.ts'
import { Repository } from '../repository.ts'
import { DirectGroupReader } from './direct-groups.ts'
import { type AccessRow, accessColumns, accessOf, type MessageAccess } from './message-access.ts'
import { ReactionReader } from './reactions.ts'
import { SubmessageReader } from './submessages.ts'
import { TopicWriter } from './topics.ts'
import { UserReader } from './users.ts'

/** A message as one viewer finds it, with what decides whether they may see it (permissions/access-message.ts). */
export interface ViewedMessage extends MessageAccess {
  readonly message: Message
  readonly flags: MessageFlags
}

interface MessageRow extends AccessRow {
  readonly id: number
  readonly sender_id: number
  readonly direct_group_id: number | null
  readonly sent_at: number
  readonly client: string
  readonly is_me_message: number
  readonly mentions_channel: number
  readonly content: string
  readonly rendered_content: string
  readonly last_edited_at: number | null
  readonly last_moved_at: number | null
  readonly edit_history: string | null
  readonly sender_email: string
  readonly sender_full_name: string
  readonly sender_avatar_version: number
  readonly topic: string | null
  readonly channel_name: string | null
  readonly has_submessages: number
  readonly read_through: number
  readonly block_form: number | null
  readonly block_bits: Uint8Array | null
  readonly has_reactions: number
}

/**
 * One statement a read, because statements cost most: everything of a viewer's message but the names in a conversation.
 */
const VIEWED = `select m.id, m.sender_id, m.direct_group_id, m.sent_at, m.client,
  m.is_me_message, m.mentions_channel, m.content, m.rendered_content, m.last_edited_at, m.last_moved_at, m.edit_history,
  s.email as sender_email, s.full_name as sender_full_name, s.avatar_version as sender_avatar_version,
  t.name as topic, c.name as channel_name, ${accessColumns('v.id')},
  v.read_through, r.form as block_form, r.bits as block_bits,
  exists (select 1 from submessage a where a.message_id = m.id) as has_submessages,
  exists (select 1 from reaction e where e.message_id = m.id) as has_reactions
from message m join user v on v.id = ? join user s on s.id = m.sender_id
left join topic t on t.id = m.topic_id left join channel c on c.id = m.channel_id
left join message_flag f on f.user_id = v.id and f.message_id = m.id
left join read_block r on r.user_id = v.id and r.block = m.id >> 12`

const VIEWED_ONE = `${VIEWED} where m.id = ?`

/** What stands in other tables than the message's own, of several messages. */
interface BesideRows {
  readonly conversations: ConversationMembers
  readonly reactions: ReadonlyMap<MessageId, readonly Reaction[]>
  readonly submessages: ReadonlyMap<MessageId, readonly Submessage[]>
}

/** About how many bytes an addition to a widget takes in an answer beside its content, and a whole reaction. */
const SUBMESSAGE_BYTES = 100
const REACTION_BYTES = 100

const NOTHING_BESIDE: BesideRows = { conversations: new Map(), reactions: new Map(), submessages: new Map() }

type ConversationMembers = ReadonlyMap<DirectGroupId, readonly Pick<User, 'id' | 'email' | 'fullName'>[]>

function placeOf(row: MessageRow, conversations: ConversationMembers): Place {
  if (row.channel_id !== null) {
    return {
      kind: 'channel',
      channelId: row.channel_id as ChannelId,
      channelName: row.channel_name ?? '',
      topic: row.topic ?? '',
    }
  }
  const groupId = row.direct_group_id as DirectGroupId
  return { kind: 'direct', groupId, members: conversations.get(groupId) ?? [] }
}

function fromRow(row: MessageRow, { conversations, reactions, submessages }: BesideRows): ViewedMessage {
  const access = accessOf(row)
  const isHistorical = row.is_own !== 1
  const block =
    row.block_form === null
      ? undefined
      : { form: row.block_form as BlockForm, bits: row.block_bits ?? new Uint8Array() }
  return {
    message: {
      id: row.id as MessageId,
      sender: {
        id: row.sender_id as UserId,
        email: row.sender_email,
        fullName: row.sender_full_name,
        avatarVersion: row.sender_avatar_version,
      },
      place: placeOf(row, conversations),
      content: row.content,
      renderedContent: row.rendered_content,
      sentAt: row.sent_at,
      client: row.client,
      isMeMessage: row.is_me_message === 1,
      reactions: reactions.get(row.id as MessageId) ?? [],
      lastEditedAt: row.last_edited_at,
      lastMovedAt: row.last_moved_at,
      editHistory: row.edit_history === null ? null : (JSON.parse(row.edit_history) as EditHistoryEntry[]),
      submessages: submessages.get(row.id as MessageId) ?? [],
    },
    flags: {
      stored: row.stored_flags ?? 0,
      // A message that one never received cannot be unread.
      isRead: !access.wasReceived || isRead(row.id, row.read_through, block),
      isHistorical,
      isChannelWildcardMentioned: !isHistorical && row.mentions_channel === 1,
    },
    ...access,
  }
}

export class MessageReader extends Repository {
  /** Id of the channel's oldest message; null without any. */
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

  /** Undefined when there is none. Ask permissions/access-message.ts before anything of it is shown. */
  async viewed(viewerId: UserId, id: MessageId): Promise<ViewedMessage | undefined> {
    const row = await this.session.get<MessageRow>(VIEWED_ONE, [viewerId, id])
    return row && fromRow(row, await this.#besides([row]))
  }

  /** Those of `ids` that exist, by ascending id. Five queries at most, whatever the number. */
  async viewedMany(viewerId: UserId, ids: readonly MessageId[]): Promise<ViewedMessage[]> {
    if (ids.length === 0) return []
    const list = listOf(this.session.dialect, ids)
    const rows = await this.session.all<MessageRow>(`${VIEWED} where m.id in ${list.sql} order by m.id`, [
      viewerId,
      ...list.params,
    ])
    const besides = await this.#besides(rows)
    return rows.map((row) => fromRow(row, besides))
  }

  /**
   * Bytes that those of `ids` that exist put into an answer, about: content, rendered content, former versions, what was
   * added to a widget, and reactions.
   */
  async sizes(ids: readonly MessageId[]): Promise<Map<MessageId, number>> {
    const rows = await this.session.all<{ id: MessageId; bytes: number }>(
      `select m.id, octet_length(m.content) + octet_length(m.rendered_content) + coalesce(octet_length(m.edit_history), 0)
         + coalesce((select sum(octet_length(s.content) + ${SUBMESSAGE_BYTES}) from submessage s where s.message_id = m.id), 0)
         + (select count(*) from reaction r where r.message_id = m.id) * ${REACTION_BYTES} as bytes
       from ${LISTED[this.session.dialect]} as wanted cross join message m on m.id = wanted.value`,
      [JSON.stringify(ids)],
    )
    return new Map(rows.map((row) => [row.id, Number(row.bytes)]))
  }

  /** What stands in tables of its own, asked for only where there is any. */
  #besides(rows: readonly MessageRow[]): BesideRows | Promise<BesideRows> {
    const isPlain = rows.every(
      (row) => row.direct_group_id === null && row.has_reactions === 0 && row.has_submessages === 0,
    )
    return isPlain ? NOTHING_BESIDE : this.#readBesides(rows)
  }

  async #readBesides(rows: readonly MessageRow[]): Promise<BesideRows> {
    const reacted = rows.flatMap((row) => (row.has_reactions === 1 ? [row.id as MessageId] : []))
    const extended = rows.flatMap((row) => (row.has_submessages === 1 ? [row.id as MessageId] : []))
    return {
      conversations: await this.#conversations(rows),
      reactions: reacted.length === 0 ? new Map() : await new ReactionReader(this.session).ofMessages(reacted),
      submessages: extended.length === 0 ? new Map() : await new SubmessageReader(this.session).ofMessages(extended),
    }
  }

  /** Names and addresses of everybody in the conversations of `rows`. Two queries, none without conversations. */
  async #conversations(rows: readonly MessageRow[]): Promise<ConversationMembers> {
    const groupIds = rows.flatMap((row) => (row.direct_group_id === null ? [] : [row.direct_group_id as DirectGroupId]))
    const members = await new DirectGroupReader(this.session).members(groupIds)
    const users = await new UserReader(this.session).byIds([...new Set([...members.values()].flat())])
    const userOf = new Map(users.map((user) => [user.id, user]))
    return new Map([...members].map(([id, userIds]) => [id, userIds.flatMap((userId) => userOf.get(userId) ?? [])]))
  }
}

/** What an edit makes of a message's content. */
export interface EditedContent {
  readonly id: MessageId
  readonly content: string
  readonly renderedContent: string
  readonly isMeMessage: boolean
  readonly hasLink: boolean
  readonly mentionsChannel: boolean
  readonly lastEditedAt: number
  /** Newest first. */
  readonly editHistory: readonly EditHistoryEntry[]
}

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

  /** Whether the message refers to uploaded files, and to pictures among them. */
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
         last_edited_at = ?, edit_history = ? where id = ?`,
      [
        edited.content,
        edited.renderedContent,
        edited.isMeMessage ? 1 : 0,
        edited.hasLink ? 1 : 0,
        edited.mentionsChannel ? 1 : 0,
        edited.lastEditedAt,
        JSON.stringify(edited.editHistory),
        edited.id,
      ],
    )
  }

  /** The message with what others have marked on it and added to it. */
  async remove(id: MessageId): Promise<void> {
    for (const table of ['message_flag', 'reaction', 'submessage']) {
      await this.session.run(`delete from ${table} where message_id = ?`, [id])
    }
    const row = await this.session.get<{ topic_id: TopicId | null }>('select topic_id from message where id = ?', [id])
    await this.session.run('delete from message where id = ?', [id])
    if (row?.topic_id) await new TopicWriter(this.session).forget(row.topic_id, id)
  }
}

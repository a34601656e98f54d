import type { ChannelId, DirectGroupId, MessageId, UserId } from '../../domain/ids.ts'
import type { MessageFlags } from '../../domain/messages/flags.ts'
import type { EditHistoryEntry, Message, Place } from '../../domain/messages/message.ts'
import type { Sender } from '../../domain/users/user.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { rowsFor } from '../pieces.ts'
import type { Session } from '../session.ts'
import { DirectGroupReader } from './direct-groups.ts'
import type { AccessRow, MessageAccess } from './message-access.ts'

/**
 * A message as read for one viewer, with the facts that decide whether the viewer may see it
 * (permissions/access-message.ts).
 */
export interface ViewedMessage extends MessageAccess, ShownMessage {}

/** A message for somebody who changes it, without parts that may be large and that changes do not need. */
export interface MessageToChange extends MessageAccess {
  readonly message: Omit<Message, 'reactions' | 'editHistory'>
  readonly flags: MessageFlags
}

/** A message that may be shown to one viewer, with the viewer's flags. */
export interface ShownMessage {
  readonly message: Message
  readonly flags: MessageFlags
}

/**
 * The common part of both ways to read viewed messages: one at a time (messages.ts), and many at once
 * (message-pages.ts).
 */
export interface MessageRow extends AccessRow {
  readonly id: number
  readonly sender_id: number
  readonly direct_group_id: number | null
  readonly sent_at: number
  readonly client: string
  readonly is_me_message: number
  readonly mentions_channel: number
  readonly last_edited_at: number | null
  readonly last_moved_at: number | null
  readonly edit_history: string | null
  readonly topic: string | null
  readonly channel_name: string | null
}

/**
 * Columns of a MessageRow, except those of its AccessRow and `edit_history`; of message `m`, topic `t`, channel `c`.
 */
export const MESSAGE_COLUMNS = `m.id, m.sender_id, m.direct_group_id, m.sent_at, m.client, m.is_me_message,
  m.mentions_channel, m.last_edited_at, m.last_moved_at, t.name as topic, c.name as channel_name`

/** Parts of a message that are not taken from its MessageRow unchanged. */
type Beside = Pick<Message, 'sender' | 'place' | 'content' | 'renderedContent' | 'reactions' | 'submessages'> &
  Pick<MessageFlags, 'isRead'>

export function shownMessage(row: MessageRow, wasReceived: boolean, beside: Beside): ShownMessage {
  const isHistorical = row.received_when_sent !== 1
  return {
    message: {
      id: row.id as MessageId,
      sender: beside.sender,
      place: beside.place,
      content: beside.content,
      renderedContent: beside.renderedContent,
      sentAt: row.sent_at,
      client: row.client,
      isMeMessage: row.is_me_message === 1,
      reactions: beside.reactions,
      lastEditedAt: row.last_edited_at,
      lastMovedAt: row.last_moved_at,
      editHistory: row.edit_history === null ? null : (JSON.parse(row.edit_history) as EditHistoryEntry[]),
      submessages: beside.submessages,
    },
    flags: {
      stored: row.stored_flags ?? 0,
      // A message that was never received cannot be unread.
      isRead: !wasReceived || beside.isRead,
      isHistorical,
      isChannelWildcardMentioned: !isHistorical && row.mentions_channel === 1,
    },
  }
}

/** Returns undefined for direct messages. */
export function channelPlace(row: Pick<MessageRow, 'channel_id' | 'channel_name' | 'topic'>): Place | undefined {
  if (row.channel_id === null) return undefined
  return {
    kind: 'channel',
    channelId: row.channel_id as ChannelId,
    channelName: row.channel_name ?? '',
    topic: row.topic ?? '',
  }
}

/** Users as messages show them, and members of conversations. */
export class People {
  readonly #users = new Map<number, Sender>()
  readonly #members: ReadonlyMap<DirectGroupId, readonly UserId[]>

  private constructor(members: ReadonlyMap<DirectGroupId, readonly UserId[]>) {
    this.#members = members
  }

  /**
   * Loads the senders and all members of the conversations. Two queries, one without conversations; for very many one
   * for each PAGE.
   */
  static async load(
    session: Session,
    senderIds: readonly number[],
    groupIds: readonly DirectGroupId[],
  ): Promise<People> {
    const pauses = new Pauses()
    const members = groupIds.length === 0 ? new Map() : await new DirectGroupReader(session).members(groupIds, pauses)
    const people = new People(members)
    const ids = new Set(senderIds)
    for (const group of members.values()) for (const id of group) ids.add(id)
    const rows = await rowsFor<Sender>(
      session,
      ids,
      (list) => `select id, email, stand_in_email as standInEmail, full_name as fullName, avatar_key as avatarKey,
        avatar_version as avatarVersion from user where id in ${list}`,
      { pauses },
    )
    for (const row of rows) people.#users.set(row.id, row)
    return people
  }

  /** Returns undefined if the user does not exist. */
  sender(id: number): Sender | undefined {
    return this.#users.get(id)
  }

  conversation(groupId: DirectGroupId): Place {
    const ids = this.#members.get(groupId) ?? []
    return { kind: 'direct', groupId, members: ids.flatMap((id) => this.#users.get(id) ?? []) }
  }
}

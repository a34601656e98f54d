import type { ChannelId, DirectGroupId, MessageId, UserId } from '../domain/ids.ts'
import { ROLE, type Role } from '../domain/roles.ts'
import { topicKey } from '../domain/text-keys.ts'
import type { Session, SqlValue } from './session.ts'

/** A term whose words have been looked up. */
export type ResolvedTerm = { readonly negated: boolean } & (
  | { readonly kind: 'channel'; readonly channelId: ChannelId }
  | { readonly kind: 'topic'; readonly topic: string }
  /** Undefined: these people never had a conversation, so no message matches. */
  | { readonly kind: 'dm'; readonly groupId: DirectGroupId | undefined }
  | { readonly kind: 'sender'; readonly senderId: UserId }
)

export interface ResolvedNarrow {
  readonly terms: readonly ResolvedTerm[]
  /**
   * A channel that the narrow is limited to and whose whole history the viewer may read, also what was sent before
   * their time. Otherwise only messages that the viewer received are found.
   */
  readonly sharedChannelId: ChannelId | undefined
}

interface Viewer {
  readonly id: UserId
  readonly role: Role
}

interface Condition {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

const ALL: ResolvedNarrow = { terms: [], sharedChannelId: undefined }

/** Received at its time, in a channel that the viewer may read now or in a conversation of theirs. */
function received(viewer: Viewer): Condition {
  const readable =
    viewer.role === ROLE.guest
      ? ''
      : 'or exists (select 1 from channel c where c.id = m.channel_id and c.invite_only = 0)'
  return {
    sql: `(m.direct_group_id in (select g.group_id from direct_group_member g where g.user_id = ?)
      or (m.channel_id is not null and exists (select 1 from subscription_span p where p.user_id = ?
          and p.channel_id = m.origin_channel_id and p.after_message_id < m.id
          and (p.to_message_id is null or p.to_message_id >= m.id))
        and (exists (select 1 from subscription b where b.user_id = ? and b.channel_id = m.channel_id and b.is_active = 1)
          ${readable})))`,
    params: [viewer.id, viewer.id, viewer.id],
  }
}

function termCondition(term: ResolvedTerm): Condition {
  switch (term.kind) {
    case 'channel':
      return { sql: 'coalesce(m.channel_id, 0) = ?', params: [term.channelId] }
    case 'topic':
      return {
        sql: 'coalesce(m.topic_id, 0) in (select t.id from topic t where t.topic_key = ?)',
        params: [topicKey(term.topic)],
      }
    case 'dm':
      return { sql: 'coalesce(m.direct_group_id, 0) = ?', params: [term.groupId ?? -1] }
    case 'sender':
      return { sql: 'm.sender_id = ?', params: [term.senderId] }
    default:
      return term satisfies never
  }
}

/** Where a term leads to an index, the plain column; `coalesce` only where a negation must also find nulls. */
function positiveCondition(term: ResolvedTerm, narrow: ResolvedNarrow): Condition {
  if (term.kind === 'channel') return { sql: 'm.channel_id = ?', params: [term.channelId] }
  if (term.kind === 'dm') return { sql: 'm.direct_group_id = ?', params: [term.groupId ?? -1] }
  if (term.kind !== 'topic') return termCondition(term)
  const channel = narrow.terms.find((one) => one.kind === 'channel' && !one.negated)
  return channel?.kind === 'channel'
    ? {
        sql: 'm.topic_id in (select t.id from topic t where t.channel_id = ? and t.topic_key = ?)',
        params: [channel.channelId, topicKey(term.topic)],
      }
    : { sql: 'm.topic_id in (select t.id from topic t where t.topic_key = ?)', params: [topicKey(term.topic)] }
}

function conditionOf(narrow: ResolvedNarrow, viewer: Viewer): Condition {
  const conditions = narrow.terms.map((term) => {
    if (!term.negated) return positiveCondition(term, narrow)
    const { sql, params } = termCondition(term)
    return { sql: `not (${sql})`, params }
  })
  if (narrow.sharedChannelId === undefined) conditions.push(received(viewer))
  return {
    sql: conditions.map(({ sql }) => sql).join(' and ') || '1 = 1',
    params: conditions.flatMap(({ params }) => params),
  }
}

/** Whether nothing but `received` limits the narrow, so that no index leads to its messages. */
function isWithoutIndex(narrow: ResolvedNarrow): boolean {
  return narrow.sharedChannelId === undefined && narrow.terms.every((term) => term.negated)
}

/**
 * No message below this id was received by the user; undefined when none was at all. An index look-up for each of
 * their channels and conversations, so that an account that is new does not look through what was before its time.
 */
async function lowestReceived(session: Session, userId: UserId): Promise<number | undefined> {
  const row = await session.get<{ channels: number | null; conversations: number | null }>(
    `select (select min(p.after_message_id) + 1 from subscription_span p where p.user_id = ?) as channels,
       (select min(f.id) from (select (select m.id from message m where m.direct_group_id = g.group_id order by m.id limit 1)
          as id from direct_group_member g where g.user_id = ?) f) as conversations`,
    [userId, userId],
  )
  const lowest = Math.min(row?.channels ?? Number.POSITIVE_INFINITY, row?.conversations ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(lowest) ? lowest : undefined
}

/** Messages of a narrow, as one viewer finds them. Access is part of every question. */
export class NarrowQuery {
  readonly #session: Session
  readonly #condition: Condition
  readonly #viewer: Viewer
  readonly #isWithoutIndex: boolean
  #lowest: Promise<number | undefined> | undefined

  constructor(session: Session, viewer: Viewer, narrow: ResolvedNarrow) {
    this.#session = session
    this.#condition = conditionOf(narrow, viewer)
    this.#viewer = viewer
    this.#isWithoutIndex = isWithoutIndex(narrow)
  }

  /** Ids below `anchor`, the nearest `limit` of them, ascending. */
  async before(anchor: number, limit: number): Promise<MessageId[]> {
    if (!this.#isWithoutIndex) return (await this.#ids('m.id < ?', [anchor], 'desc', limit)).reverse()
    const lowest = await this.#lowestId()
    if (lowest === undefined) return []
    return (await this.#ids('m.id < ? and m.id >= ?', [anchor, lowest], 'desc', limit)).reverse()
  }

  /** Ids above `anchor`, the nearest `limit` of them, ascending. */
  async after(anchor: number, limit: number): Promise<MessageId[]> {
    if (!this.#isWithoutIndex) return this.#ids('m.id > ?', [anchor], 'asc', limit)
    const lowest = await this.#lowestId()
    return lowest === undefined ? [] : this.#ids('m.id > ?', [Math.max(anchor, lowest - 1)], 'asc', limit)
  }

  async has(id: number): Promise<boolean> {
    return (await this.#ids('m.id = ?', [id], 'asc', 1)).length > 0
  }

  /** Those of `ids` that match, ascending. */
  async among(ids: readonly number[]): Promise<MessageId[]> {
    if (ids.length === 0) return []
    const { sql, params } = this.#condition
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from message m where m.id in (${ids.map(() => '?').join(', ')}) and ${sql} order by m.id`,
      [...ids, ...params],
    )
    return rows.map((row) => row.id)
  }

  #lowestId(): Promise<number | undefined> {
    this.#lowest ??= lowestReceived(this.#session, this.#viewer.id)
    return this.#lowest
  }

  async #ids(range: string, bounds: readonly number[], order: 'asc' | 'desc', limit: number): Promise<MessageId[]> {
    if (limit === 0) return []
    const { sql, params } = this.#condition
    const rows = await this.#session.all<{ id: MessageId }>(
      `select m.id from message m where ${range} and ${sql} order by m.id ${order} limit ?`,
      [...bounds, ...params, limit],
    )
    return rows.map((row) => row.id)
  }
}

/** The newest message that the viewer received; undefined when there is none. */
export async function newestReceived(session: Session, viewer: Viewer): Promise<MessageId | undefined> {
  const [id] = await new NarrowQuery(session, viewer, ALL).before(Number.MAX_SAFE_INTEGER, 1)
  return id
}

import { chunksOf } from '../../domain/chunks.ts'
import { ascending, type ChannelId, type MessageId, type UserId } from '../../domain/ids.ts'
import { listOf, ROWS_A_STATEMENT } from '../dialect.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

/** The position up to which push notifications have followed the log. */
export interface PushCursor {
  /** Everything up to this event is done. */
  readonly eventId: number
  /** Within the next event, everybody up to this account is done; 0 if nobody is. */
  readonly userId: number
}

/** A message that devices of a user show. */
export interface PushedMessage {
  readonly userId: UserId
  readonly messageId: MessageId
}

interface PushedRow {
  readonly user_id: UserId
  readonly message_id: MessageId
}

/** Devices with their accounts, limited to those that can be notified. */
const OWNERS = `device d join user u on u.id = d.user_id
  where d.push_token_id is not null and d.push_key_encrypted is not null and u.is_active = 1 and u.is_bot = 0`

/** The messages that devices show, and the users who can be notified. */
export class PushedMessageReader extends Repository {
  /** Returns undefined if no notification was ever sent. */
  async cursor(): Promise<PushCursor | undefined> {
    const row = await this.session.get<{ event_id: number; user_id: number }>(
      'select event_id, user_id from push_cursor where id = 1',
    )
    return row && { eventId: row.event_id, userId: row.user_id }
  }

  /** Whether anybody has a device that can be notified. */
  async hasOwners(): Promise<boolean> {
    return (await this.session.get(`select 1 from ${OWNERS} limit 1`)) !== undefined
  }

  /** Returns those of `userIds` who have a device that can be notified, by ascending ID. One query for each PAGE. */
  async ownersAmong(userIds: readonly UserId[]): Promise<UserId[]> {
    const sql = (list: string) => `select distinct d.user_id from ${OWNERS} and d.user_id in ${list}`
    return ascending((await rowsFor<{ user_id: UserId }>(this.session, userIds, sql)).map((row) => row.user_id))
  }

  /** Returns the first `limit` subscribers above `after` who have a device that can be notified, by ascending ID. */
  async ownersFollowing(channelId: ChannelId, after: number, limit: number): Promise<UserId[]> {
    const rows = await this.session.all<{ user_id: UserId }>(
      `select distinct d.user_id from ${OWNERS} and d.user_id > ? and exists (select 1 from subscription s
         where s.user_id = d.user_id and s.channel_id = ? and s.is_active = 1)
       order by d.user_id limit ?`,
      [after, channelId, limit],
    )
    return rows.map((row) => row.user_id)
  }

  /** Returns those of `userIds` who have muted `mutedId`. */
  async mutersAmong(userIds: readonly UserId[], mutedId: UserId): Promise<Set<UserId>> {
    return this.#those('muted_user', 'muted_user_id = ?', mutedId, userIds)
  }

  /** Returns those of `userIds` who were active at `time` (UNIX seconds) or later. */
  async activeSince(userIds: readonly UserId[], time: number): Promise<Set<UserId>> {
    return this.#those('presence', 'active_at >= ?', time, userIds)
  }

  async #those(table: string, condition: string, value: number, userIds: readonly UserId[]): Promise<Set<UserId>> {
    if (userIds.length === 0) return new Set()
    const list = listOf(this.session.dialect, userIds)
    const rows = await this.session.all<{ user_id: UserId }>(
      `select user_id from ${table} where ${condition} and user_id in ${list.sql}`,
      [value, ...list.params],
    )
    return new Set(rows.map((row) => row.user_id))
  }

  /** Returns the members of `messageIds` that devices show, by user and message. One query for each PAGE. */
  async shown(messageIds: readonly MessageId[]): Promise<PushedMessage[]> {
    const sql = (list: string) => `select user_id, message_id from pushed_message where message_id in ${list}`
    const rows = await rowsFor<PushedRow>(this.session, messageIds, sql)
    const shown = rows.map((row) => ({ userId: row.user_id, messageId: row.message_id }))
    return shown.sort((a, b) => a.userId - b.userId || a.messageId - b.messageId)
  }

  /** Whether anything was shown before `time` (UNIX seconds). */
  async hasBefore(time: number): Promise<boolean> {
    return (await this.session.get('select 1 from pushed_message where pushed_at < ? limit 1', [time])) !== undefined
  }

  /** Whether devices show anything at all. */
  async showAny(): Promise<boolean> {
    return (await this.session.get('select 1 from pushed_message limit 1')) !== undefined
  }
}

export class PushedMessageWriter extends PushedMessageReader {
  async moveCursor({ eventId, userId }: PushCursor): Promise<void> {
    const row = { id: 1, event_id: eventId, user_id: userId }
    await this.session.knex('push_cursor').insert(row).onConflict('id').merge()
  }

  /** Existing rows stay. */
  async insert(pushed: readonly PushedMessage[], pushed_at: number): Promise<void> {
    for (const chunk of chunksOf(pushed, ROWS_A_STATEMENT)) {
      const rows = chunk.map(({ userId, messageId }) => ({ user_id: userId, message_id: messageId, pushed_at }))
      await this.session.knex('pushed_message').insert(rows).onConflict(['user_id', 'message_id']).ignore()
    }
  }

  async delete(pushed: readonly PushedMessage[]): Promise<void> {
    for (const { userId, messageId } of pushed) {
      await this.session.run('delete from pushed_message where user_id = ? and message_id = ?', [userId, messageId])
    }
  }

  /** Deletes at most `limit` rows from before `time` (UNIX seconds). @returns how many */
  async deleteBefore(time: number, limit: number): Promise<number> {
    const rows = await this.session.all<PushedRow>(
      'select user_id, message_id from pushed_message where pushed_at < ? order by pushed_at limit ?',
      [time, limit],
    )
    await this.delete(rows.map((row) => ({ userId: row.user_id, messageId: row.message_id })))
    return rows.length
  }
}

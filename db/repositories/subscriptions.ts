import type { Subscription, SubscriptionSpan } from '../../domain/channels/channel.ts'
import { chunksOf } from '../../domain/chunks.ts'
import { ascending, type ChannelId, type UserId } from '../../domain/ids.ts'
import type { VisibilitySettings } from '../../domain/topics/topic-visibility.ts'
import type { PersonalChange } from '../../domain/users/personal-settings.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { userSettings } from '../../domain/users/user-settings.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { listOf, ROWS_A_STATEMENT } from '../dialect.ts'
import { PAGE, ROWS_A_PIECE, rowsFor, rowsInPages } from '../pieces.ts'
import { Repository } from '../repository.ts'
import type { LogHead } from './event-log.ts'

interface SubscriptionRow {
  readonly user_id: number
  readonly channel_id: number
  readonly is_active: number
  readonly color: string
  readonly is_muted: number
  readonly pin_to_top: number
  readonly desktop_notifications: number | null
  readonly audible_notifications: number | null
  readonly push_notifications: number | null
  readonly email_notifications: number | null
  readonly wildcard_mentions_notify: number | null
}

const orInherited = (value: number | null): boolean | null => (value === null ? null : value === 1)

function fromRow(row: SubscriptionRow): Subscription {
  return {
    userId: row.user_id as UserId,
    channelId: row.channel_id as ChannelId,
    color: row.color,
    isMuted: row.is_muted === 1,
    pinToTop: row.pin_to_top === 1,
    desktopNotifications: orInherited(row.desktop_notifications),
    audibleNotifications: orInherited(row.audible_notifications),
    pushNotifications: orInherited(row.push_notifications),
    emailNotifications: orInherited(row.email_notifications),
    wildcardMentionsNotify: orInherited(row.wildcard_mentions_notify),
  }
}

interface SpanRow {
  readonly user_id: number
  readonly channel_id: number
  readonly after_message_id: number
  readonly to_message_id: number | null
  readonly after_event_id: number
  readonly to_event_id: number | null
}

export interface SenderState {
  readonly isSubscribed: boolean
  readonly isChannelMuted: boolean
  readonly settings: VisibilitySettings
}

export class SubscriptionReader extends Repository {
  /** Returns present subscriptions of `userId` by channel ID; in pages. */
  ofUser(userId: UserId, pauses = new Pauses()): Promise<Subscription[]> {
    return this.#ofUser(userId, 1, pauses)
  }

  /** Returns former subscriptions of `userId` with their settings, by channel ID; in pages. */
  formerOfUser(userId: UserId, pauses: Pauses): Promise<Subscription[]> {
    return this.#ofUser(userId, 0, pauses)
  }

  #ofUser(userId: UserId, isActive: 0 | 1, pauses: Pauses): Promise<Subscription[]> {
    const sql = `select * from subscription where user_id = ? and is_active = ${isActive}`
    return rowsInPages(this.session, { sql, params: [userId], key: 'channel_id' }, fromRow, pauses)
  }

  /**
   * Returns present subscriptions of `userIds` to the channel, by user. One query for each PAGE, with others served in
   * between.
   */
  async toChannel(
    channelId: ChannelId,
    userIds: readonly UserId[],
    pauses = new Pauses(),
  ): Promise<Map<UserId, Subscription>> {
    const sql = (list: string) =>
      `select * from subscription where channel_id = ? and is_active = 1 and user_id in ${list}`
    const rows = await rowsFor<SubscriptionRow>(this.session, userIds, sql, { before: [channelId], pauses })
    return new Map(await pauses.map(rows, (row) => [row.user_id as UserId, fromRow(row)]))
  }

  /** Returns present subscriptions to the channel of users with an event queue, by user ID. */
  async withQueues(channelId: ChannelId): Promise<Subscription[]> {
    const rows = await this.session.all<SubscriptionRow>(
      `select * from subscription where channel_id = ? and is_active = 1
         and user_id in (select user_id from event_queue) order by user_id`,
      [channelId],
    )
    return rows.map(fromRow)
  }

  /** Returns the first `limit` subscribers above `after`, including deactivated ones. */
  async followers(channelId: ChannelId, after: number, limit: number): Promise<UserId[]> {
    const rows = await this.session.all<{ user_id: UserId }>(
      `select user_id from subscription where channel_id = ? and is_active = 1 and user_id > ?
        order by user_id limit ?`,
      [channelId, after, limit],
    )
    return rows.map((row) => row.user_id)
  }

  async isSubscribed(userId: UserId, channelId: ChannelId): Promise<boolean> {
    const row = await this.session.get(
      'select 1 from subscription where user_id = ? and channel_id = ? and is_active = 1',
      [userId, channelId],
    )
    return row !== undefined
  }

  /** Returns those of `channelIds` that the user is subscribed to. One query for each PAGE. */
  async subscribedTo(userId: UserId, channelIds: readonly ChannelId[]): Promise<Set<ChannelId>> {
    const sql = (list: string) =>
      `select channel_id from subscription where user_id = ? and is_active = 1 and channel_id in ${list}`
    const rows = await rowsFor<{ channel_id: ChannelId }>(this.session, channelIds, sql, { before: [userId] })
    return new Set(rows.map((row) => row.channel_id))
  }

  /**
   * Returns the facts about the sender that sending to the channel needs. One statement, because every send waits for
   * it.
   */
  async ofSender(userId: UserId, channelId: ChannelId): Promise<SenderState> {
    const row = await this.session.get<{ settings: string; is_muted: number | null }>(
      `select u.settings, s.is_muted from user u
       left join subscription s on s.user_id = u.id and s.channel_id = ? and s.is_active = 1 where u.id = ?`,
      [channelId, userId],
    )
    if (!row) throw new Error(`there is no user ${userId}`)
    return {
      isSubscribed: row.is_muted !== null,
      isChannelMuted: row.is_muted === 1,
      settings: userSettings(JSON.parse(row.settings)),
    }
  }

  /** Returns those of `userIds` who are subscribed, by ascending ID. One query for each PAGE. */
  async subscribedAmong(channelId: ChannelId, userIds: readonly UserId[]): Promise<UserId[]> {
    const sql = (list: string) =>
      `select user_id from subscription where channel_id = ? and is_active = 1 and user_id in ${list}`
    const rows = await rowsFor<{ user_id: UserId }>(this.session, userIds, sql, { before: [channelId] })
    return ascending(rows.map((row) => row.user_id))
  }

  /**
   * Returns the active subscribers of each of `ids`, by ascending channel and user ID; a channel without subscribers
   * has no key. In one query, or for very many in several, with others served in between.
   */
  async subscribers(ids: readonly ChannelId[], pauses = new Pauses()): Promise<Map<ChannelId, UserId[]>> {
    const byChannel = new Map<ChannelId, UserId[]>()
    const left = [...chunksOf(ascending(ids), PAGE)].reverse()
    for (let chunk = left.pop(); chunk !== undefined; chunk = left.pop()) {
      const rows = await this.#subscribersOf(chunk)
      await pauses.letOthers()
      if (rows.length > ROWS_A_PIECE && chunk.length > 1) {
        left.push(chunk.slice(chunk.length / 2), chunk.slice(0, chunk.length / 2))
        continue
      }
      for (const { channel_id: id, user_id: userId } of rows) {
        const list = byChannel.get(id)
        if (list) list.push(userId)
        else byChannel.set(id, [userId])
      }
    }
    return byChannel
  }

  /** Returns all subscribers of one channel; for several channels, not many more than a piece. */
  async #subscribersOf(ids: readonly ChannelId[]): Promise<{ channel_id: ChannelId; user_id: UserId }[]> {
    const list = listOf(this.session.dialect, ids)
    return this.session.all(
      `select s.channel_id, s.user_id from subscription s join user u on u.id = s.user_id
        where s.is_active = 1 and u.is_active = 1 and s.channel_id in ${list.sql}
        order by s.channel_id, s.user_id limit ?`,
      [...list.params, ids.length > 1 ? ROWS_A_PIECE + 1 : Number.MAX_SAFE_INTEGER],
    )
  }

  /**
   * Returns the message IDs, from `first` up to but not including `last`, after which somebody began or stopped
   * receiving messages of the channel, ascending.
   */
  async borders(channelId: ChannelId, first: number, last: number): Promise<number[]> {
    const rows = await this.session.all<{ border: number }>(
      `select after_message_id as border from subscription_span
         where channel_id = ? and after_message_id >= ? and after_message_id < ?
       union select to_message_id from subscription_span
         where channel_id = ? and to_message_id >= ? and to_message_id < ? order by 1`,
      [channelId, first, last, channelId, first, last],
    )
    return rows.map(({ border }) => border)
  }

  /**
   * Returns accounts, including deactivated ones, that are subscribed to the first channel and not to the second,
   * ascending.
   */
  async onlyIn(channelId: ChannelId, otherId: ChannelId): Promise<UserId[]> {
    const rows = await this.session.all<{ user_id: UserId }>(
      `select s.user_id from subscription s where s.channel_id = ? and s.is_active = 1 and not exists (select 1
         from subscription o where o.user_id = s.user_id and o.channel_id = ? and o.is_active = 1) order by s.user_id`,
      [channelId, otherId],
    )
    return rows.map((row) => row.user_id)
  }

  /** Whether an active guest is subscribed to the first channel and not to the second. */
  async hasGuestOnlyIn(channelId: ChannelId, otherId: ChannelId): Promise<boolean> {
    const row = await this.session.get(
      `select 1 from subscription s join user u on u.id = s.user_id
       where s.channel_id = ? and s.is_active = 1 and u.role = ? and u.is_active = 1 and not exists (select 1
         from subscription o where o.user_id = s.user_id and o.channel_id = ? and o.is_active = 1) limit 1`,
      [channelId, ROLE.guest, otherId],
    )
    return row !== undefined
  }

  /** Returns all subscription periods of `userIds`, ended ones too, oldest first. One query. */
  async spans(userIds: readonly UserId[]): Promise<SubscriptionSpan[]> {
    if (userIds.length === 0) return []
    const rows = await this.session
      .knex<SpanRow>('subscription_span')
      .whereIn('user_id', [...userIds])
      .orderBy('id')
      .select()
    return rows.map((row) => ({
      userId: row.user_id as UserId,
      channelId: row.channel_id as ChannelId,
      afterMessageId: row.after_message_id,
      toMessageId: row.to_message_id,
      afterEventId: row.after_event_id,
      toEventId: row.to_event_id,
    }))
  }

  /**
   * Returns the number of subscriptions that each user has had, for the colour of the next one. One query for each
   * PAGE, with others served in between.
   */
  async counts(userIds: readonly UserId[], pauses: Pauses): Promise<Map<UserId, number>> {
    const sql = (list: string) =>
      `select user_id, count(*) as count from subscription where user_id in ${list} group by user_id`
    const rows = await rowsFor<{ user_id: UserId; count: number }>(this.session, userIds, sql, { pauses })
    return new Map(rows.map((row) => [row.user_id, Number(row.count)]))
  }
}

export class SubscriptionWriter extends SubscriptionReader {
  /** Subscribes active accounts that are not subscribed now; a former subscription keeps its personal settings. */
  async subscribe(
    channelId: ChannelId,
    users: readonly { id: UserId; color: string }[],
    head: LogHead,
    pauses = new Pauses(),
  ): Promise<void> {
    const { knex } = this.session
    for (const chunk of chunksOf(users, ROWS_A_STATEMENT)) {
      await knex('subscription')
        .insert(
          chunk.map(({ id, color }) => ({
            user_id: id,
            channel_id: channelId,
            is_active: true,
            color,
            is_muted: false,
            pin_to_top: false,
          })),
        )
        .onConflict(['user_id', 'channel_id'])
        .merge(['is_active'])
      await knex('subscription_span').insert(
        chunk.map(({ id }) => ({
          user_id: id,
          channel_id: channelId,
          after_message_id: head.messageId,
          after_event_id: head.eventId,
        })),
      )
      await this.#count([channelId], chunk.length)
      await pauses.letOthers()
    }
  }

  /**
   * Call it for a deactivated account. Ends its subscription periods and stops counting it, but keeps the
   * subscriptions.
   */
  async endSpansOf(userId: UserId, head: LogHead): Promise<void> {
    await this.session.run(
      'update subscription_span set to_message_id = ?, to_event_id = ? where user_id = ? and to_message_id is null',
      [head.messageId, head.eventId, userId],
    )
    await this.#countOf(userId, -1)
  }

  /** Call it for a reactivated account. Begins new subscription periods, and counts it again. */
  async beginSpansOf(userId: UserId, head: LogHead): Promise<void> {
    await this.session.run(
      `insert into subscription_span (user_id, channel_id, after_message_id, after_event_id)
        select user_id, channel_id, ?, ? from subscription where user_id = ? and is_active = 1`,
      [head.messageId, head.eventId, userId],
    )
    await this.#countOf(userId, 1)
  }

  /**
   * Adds or subtracts `userId` in the counts of all of the user's channels. In pages, with others served in between.
   */
  async #countOf(userId: UserId, difference: 1 | -1): Promise<void> {
    const pauses = new Pauses()
    const channelIds = (await this.ofUser(userId, pauses)).map((one) => one.channelId)
    for (const chunk of chunksOf(channelIds, PAGE)) {
      await this.#count(chunk, difference)
      await pauses.letOthers()
    }
  }

  /** Adds `difference` to the number of subscribers of each channel. */
  async #count(channelIds: readonly ChannelId[], difference: number): Promise<void> {
    const list = listOf(this.session.dialect, channelIds)
    await this.session.run(`update channel set subscriber_count = subscriber_count + ? where id in ${list.sql}`, [
      difference,
      ...list.params,
    ])
  }

  /** Ends the subscriptions of `userIds`, who must be subscribed; keeps their personal settings. */
  async unsubscribe(
    channelId: ChannelId,
    userIds: readonly UserId[],
    head: LogHead,
    pauses = new Pauses(),
  ): Promise<void> {
    for (const chunk of chunksOf(userIds, ROWS_A_STATEMENT)) {
      const list = listOf(this.session.dialect, chunk)
      const whom = `channel_id = ? and user_id in ${list.sql}`
      await this.session.run(`update subscription set is_active = 0 where ${whom}`, [channelId, ...list.params])
      const { changes } = await this.session.run(
        `update subscription_span set to_message_id = ?, to_event_id = ? where to_event_id is null and ${whom}`,
        [head.messageId, head.eventId, channelId, ...list.params],
      )
      // Deactivated accounts have no open periods, and were not counted.
      await this.#count([channelId], -changes)
      await this.#forgetEmptySpans(whom, [channelId, ...list.params])
      await pauses.letOthers()
    }
  }

  /**
   * Deletes periods that decide about nothing: none of their messages is left, and the log begins after them. Otherwise
   * each time that somebody leaves and joins would cost a row for ever.
   */
  async #forgetEmptySpans(whom: string, params: readonly (number | string)[]): Promise<void> {
    await this.session.run(
      `delete from subscription_span where ${whom} and to_event_id < (select min(id) from event)
        and not exists (select 1 from message m where m.origin_channel_id = subscription_span.channel_id
          and m.id > subscription_span.after_message_id and m.id <= subscription_span.to_message_id)`,
      params,
    )
  }

  /**
   * Changes a personal setting of the channel. Columns have the names on the wire. Does nothing if the user is not
   * subscribed.
   */
  async change(userId: UserId, channelId: ChannelId, { setting, value }: PersonalChange): Promise<void> {
    await this.session.run(
      `update subscription set ${setting} = ? where user_id = ? and channel_id = ? and is_active = 1`,
      [typeof value === 'boolean' ? Number(value) : value, userId, channelId],
    )
  }
}

import {
  type Channel,
  hasReadersByGroup,
  type StoredChannelGroups,
  type TopicsPolicy,
} from '../../domain/channels/channel.ts'
import type { ChannelActivity, CountedMessages } from '../../domain/channels/channel-activity.ts'
import { ascending, type ChannelId, type MessageId, type UserId } from '../../domain/ids.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import type { ChannelGroupSettingName } from '../../domain/user-groups/group-settings.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { isUniqueViolation } from '../dialect.ts'
import { firstSentFrom } from '../narrow/first-sent.ts'
import { rowsFor, rowsInPages } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface ChannelRow {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly rendered_description: string
  readonly creator_id: number | null
  readonly created_at: number
  readonly invite_only: number
  readonly history_public_to_subscribers: number
  readonly is_web_public: number
  readonly is_archived: number
  readonly message_retention_days: number | null
  readonly topics_policy: string
  readonly folder_id: number | null
  readonly is_recently_active: number
  readonly weekly_traffic: number | null
  readonly group_settings: string
  readonly subscriber_count: number
  readonly first_message_id: number | null
}

function fromRow(row: ChannelRow): Channel {
  return {
    id: row.id as ChannelId,
    name: row.name,
    description: row.description,
    renderedDescription: row.rendered_description,
    creatorId: row.creator_id as UserId | null,
    createdAt: row.created_at,
    inviteOnly: row.invite_only === 1,
    historyPublicToSubscribers: row.history_public_to_subscribers === 1,
    isWebPublic: row.is_web_public === 1,
    isArchived: row.is_archived === 1,
    messageRetentionDays: row.message_retention_days,
    topicsPolicy: row.topics_policy as TopicsPolicy,
    folderId: row.folder_id,
    isRecentlyActive: row.is_recently_active === 1,
    weeklyTraffic: row.weekly_traffic,
    groupSettings: JSON.parse(row.group_settings) as StoredChannelGroups,
    subscriberCount: row.subscriber_count,
    firstMessageId: row.first_message_id as MessageId | null,
  }
}

interface RightsRow {
  readonly id: ChannelId
  readonly creator_id: UserId | null
  readonly group_settings: string
}

/** Channels with the same rights. */
interface AlikeChannels extends Pick<Channel, 'inviteOnly' | 'creatorId' | 'groupSettings'> {
  readonly ids: readonly ChannelId[]
}

export class ChannelReader extends Repository {
  /** Returns all channels by ascending ID, in pages. permissions/access-channel.ts decides who may see which. */
  all(pauses = new Pauses()): Promise<Channel[]> {
    return rowsInPages(this.session, { sql: 'select * from channel where true' }, fromRow, pauses)
  }

  /** Returns those of `ids` that exist, by ascending ID. One query for each PAGE, with others served in between. */
  async byIds(ids: readonly ChannelId[], pauses = new Pauses()): Promise<Channel[]> {
    const sql = (list: string) => `select * from channel where id in ${list} order by id`
    return pauses.map(await rowsFor<ChannelRow>(this.session, ascending(ids), sql, { pauses }), fromRow)
  }

  /**
   * Returns channels whose group settings may name the user: those that the user created, and those whose stored
   * settings contain the number. By ascending ID, in pages.
   */
  thatMayNameUser(id: UserId): Promise<Channel[]> {
    const sql = 'select * from channel where (creator_id = ? or group_settings like ?)'
    return rowsInPages(this.session, { sql, params: [id, `%${id}%`] }, fromRow, new Pauses())
  }

  /**
   * Returns active channels whose stored group settings contain this number, as a user or a group, by ascending ID; in
   * pages.
   */
  thatMayName(id: number): Promise<Channel[]> {
    const sql = 'select * from channel where is_archived = 0 and group_settings like ?'
    return rowsInPages(this.session, { sql, params: [`%${id}%`] }, fromRow, new Pauses())
  }

  async byId(id: ChannelId): Promise<Channel | undefined> {
    const row = await this.session.get<ChannelRow>('select * from channel where id = ?', [id])
    return row && fromRow(row)
  }

  /** Regardless of case. */
  async byName(name: string): Promise<Channel | undefined> {
    const row = await this.session.get<ChannelRow>('select * from channel where name_key = ?', [nameKey(name)])
    return row && fromRow(row)
  }

  /** Whether any channel limits how long it keeps messages. */
  async hasRetention(): Promise<boolean> {
    return (await this.session.get('select 1 from channel where message_retention_days > 0 limit 1')) !== undefined
  }

  /** Returns private channels in which one of these settings differs from its default, by ascending ID; in pages. */
  privateWith(settings: readonly ChannelGroupSettingName[], pauses: Pauses): Promise<Channel[]> {
    const isSet = settings.map(() => 'group_settings like ?').join(' or ')
    const sql = `select * from channel where invite_only = 1 and (${isSet})`
    return rowsInPages(this.session, { sql, params: settings.map((name) => `%"${name}"%`) }, fromRow, pauses)
  }

  /**
   * Returns the bytes of descriptions and group settings of each creator's channels, of those that have at least
   * `least`.
   */
  async longBytes(least: number): Promise<Map<UserId | null, number>> {
    const rows = await this.session.all<{ creator_id: UserId | null; bytes: number }>(
      `select creator_id, sum(bytes) as bytes
       from (select creator_id, octet_length(group_settings) + octet_length(rendered_description) as bytes
         from channel) as long_ones
       where bytes >= ? group by creator_id`,
      [least],
    )
    return new Map(rows.map((row) => [row.creator_id, Number(row.bytes)]))
  }

  /**
   * Returns private channels that somebody may read through a group without a subscription, those with the same rights
   * together. Uses an index; one query for each PAGE.
   */
  async withGroupReaders(): Promise<AlikeChannels[]> {
    const sql = 'select id, creator_id, group_settings from channel where has_group_readers = 1'
    const rows = await rowsInPages<RightsRow, RightsRow>(this.session, { sql }, (row) => row, new Pauses())
    const alike = Map.groupBy(rows, (row) => `${row.creator_id} ${row.group_settings}`)
    return [...alike.values()].map((same) => {
      const [{ creator_id: creatorId, group_settings: settings }] = same as [RightsRow]
      return {
        ids: same.map(({ id }) => id),
        inviteOnly: true,
        creatorId,
        groupSettings: JSON.parse(settings) as StoredChannelGroups,
      }
    })
  }

  /** Regardless of case. Keyed by `nameKey`; a name without a channel has no entry. Queries as for byIds. */
  async byNames(names: readonly string[]): Promise<Map<string, Channel>> {
    const pauses = new Pauses()
    const sql = (list: string) => `select * from channel where name_key in ${list}`
    const rows = await rowsFor<ChannelRow>(this.session, names.map(nameKey), sql, { pauses })
    return new Map(await pauses.map(rows, (row) => [nameKey(row.name), fromRow(row)]))
  }

  /**
   * Returns up to `limit` channels whose messages were last counted before `from`, longest ago first, or after `to`,
   * by a clock that was ahead. Both are UNIX seconds.
   */
  async countedOutside(from: number, to: number, limit: number): Promise<Channel[]> {
    const rows = await this.session.all<ChannelRow>(
      `select * from channel where activity_counted_at < ? or activity_counted_at > ?
         order by activity_counted_at, id limit ?`,
      [from, to, limit],
    )
    return rows.map(fromRow)
  }

  /**
   * Counts messages of each channel that has any. Reads an index entry for each counted message.
   *
   * @param since UNIX seconds after which a message counts as recent
   */
  async countMessages(ids: readonly ChannelId[], since: number): Promise<Map<ChannelId, CountedMessages>> {
    const { knex } = this.session
    const newest: { id: ChannelId; sent_at: number }[] = await knex('message')
      .join(
        knex('message')
          .whereIn('channel_id', [...ids])
          .groupBy('channel_id')
          .max({ id: 'id' })
          .as('last'),
        'last.id',
        'message.id',
      )
      .select({ id: 'message.channel_id', sent_at: 'message.sent_at' })
    const recent: { channel_id: ChannelId; count: number }[] = await knex('message')
      .whereIn('channel_id', [...ids])
      .where('id', '>=', await firstSentFrom(this.session, since))
      .groupBy('channel_id')
      .select('channel_id')
      .count({ count: '*' })
    const recentOf = new Map(recent.map((row) => [row.channel_id, Number(row.count)]))
    return new Map(
      newest.map((row) => [row.id, { lastSentAt: row.sent_at, recentMessages: recentOf.get(row.id) ?? 0 }]),
    )
  }
}

/** Whether `withGroupReaders` must find the channel. */
function isFoundByGroups(channel: Pick<Channel, 'creatorId' | 'inviteOnly' | 'groupSettings'>): boolean {
  return channel.inviteOnly && hasReadersByGroup(channel)
}

export type NewChannel = Pick<
  Channel,
  | 'name'
  | 'description'
  | 'renderedDescription'
  | 'creatorId'
  | 'createdAt'
  | 'inviteOnly'
  | 'historyPublicToSubscribers'
  | 'messageRetentionDays'
  | 'topicsPolicy'
> &
  Partial<Pick<Channel, 'groupSettings' | 'folderId'>>

export class ChannelWriter extends ChannelReader {
  /** Returns undefined if the name is taken. */
  async insert(channel: NewChannel): Promise<Channel | undefined> {
    const { creatorId, inviteOnly, groupSettings = {} } = channel
    try {
      const [id] = await this.session.knex('channel').insert({
        name: channel.name,
        name_key: nameKey(channel.name),
        description: channel.description,
        rendered_description: channel.renderedDescription,
        creator_id: creatorId,
        created_at: channel.createdAt,
        invite_only: inviteOnly,
        history_public_to_subscribers: channel.historyPublicToSubscribers,
        is_web_public: false,
        is_archived: false,
        message_retention_days: channel.messageRetentionDays,
        topics_policy: channel.topicsPolicy,
        folder_id: channel.folderId ?? null,
        activity_counted_at: channel.createdAt,
        group_settings: JSON.stringify(groupSettings),
        has_group_readers: isFoundByGroups({ creatorId, inviteOnly, groupSettings }),
      })
      return await this.byId(id as ChannelId)
    } catch (err) {
      if (isUniqueViolation(err)) return undefined
      throw err
    }
  }

  /** Returns false if it was archived before. */
  async archive(id: ChannelId): Promise<boolean> {
    const { changes } = await this.session.run('update channel set is_archived = 1 where id = ? and is_archived = 0', [
      id,
    ])
    return changes > 0
  }

  /** @param countedAt UNIX seconds */
  async setActivity(id: ChannelId, activity: ChannelActivity, countedAt: number): Promise<void> {
    await this.session.run(
      'update channel set is_recently_active = ?, weekly_traffic = ?, activity_counted_at = ? where id = ?',
      [activity.isRecentlyActive ? 1 : 0, activity.weeklyTraffic, countedAt, id],
    )
  }

  /** Stores the settings of a channel. The caller has checked that its name is free. */
  async update(channel: Channel): Promise<void> {
    await this.session.run(
      `update channel set name = ?, name_key = ?, description = ?, rendered_description = ?, invite_only = ?,
         history_public_to_subscribers = ?, is_archived = ?, message_retention_days = ?, topics_policy = ?, folder_id = ?,
         group_settings = ?, has_group_readers = ? where id = ?`,
      [
        channel.name,
        nameKey(channel.name),
        channel.description,
        channel.renderedDescription,
        Number(channel.inviteOnly),
        Number(channel.historyPublicToSubscribers),
        Number(channel.isArchived),
        channel.messageRetentionDays,
        channel.topicsPolicy,
        channel.folderId,
        JSON.stringify(channel.groupSettings),
        Number(isFoundByGroups(channel)),
        channel.id,
      ],
    )
  }

  /** Sets the oldest message of the channel; null if it no longer has any. */
  async setFirstMessage(id: ChannelId, messageId: MessageId | null): Promise<void> {
    await this.session.run('update channel set first_message_id = ? where id = ?', [messageId, id])
  }

  async wake(id: ChannelId): Promise<void> {
    await this.session.run('update channel set is_recently_active = 1 where id = ?', [id])
  }
}

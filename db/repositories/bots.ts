import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { listOf } from '../dialect.ts'
import { Repository } from '../repository.ts'
import type { SqlValue } from '../session.ts'

/** Settings of bots. */
export class BotReader extends Repository {
  /** Returns the defaults of a bot's event queues; undefined if nobody has set any. */
  async queueDefaultsOf(
    botId: UserId,
  ): Promise<{ readonly allPublicChannels: boolean; readonly channelName: string | null } | undefined> {
    const row = await this.session.get<{ all_public: number; name: string | null }>(
      `select default_all_public_channels as all_public, channel.name
         from bot left join channel on channel.id = default_events_channel_id where user_id = ?`,
      [botId],
    )
    return row && { allPublicChannels: row.all_public === 1, channelName: row.name }
  }

  /** Returns the bots of one owner, or of everybody, including deactivated ones, by ascending ID. */
  of(ownerId: UserId | undefined): Promise<Schemas['ManagedBot'][]> {
    return ownerId === undefined ? this.#where('', []) : this.#where('and bot_owner_id = ?', [ownerId])
  }

  /** Returns those of `ids` that exist. */
  async byIds(ids: readonly UserId[]): Promise<Schemas['ManagedBot'][]> {
    if (ids.length === 0) return []
    const list = listOf(this.session.dialect, ids)
    return this.#where(`and user.id in ${list.sql}`, list.params)
  }

  /** Includes deactivated ones. */
  async countOf(ownerId: UserId): Promise<number> {
    const row = await this.session.get<{ count: number }>('select count(*) as count from user where bot_owner_id = ?', [
      ownerId,
    ])
    return row?.count ?? 0
  }

  async #where(condition: string, params: readonly SqlValue[]): Promise<Schemas['ManagedBot'][]> {
    const rows = await this.session.all<{
      readonly id: number
      readonly sending: string | null
      readonly events: string | null
      readonly default_all_public_channels: number | null
      readonly services: string | null
    }>(
      `select user.id, sending.name as sending, events.name as events, default_all_public_channels, services
         from user left join bot on bot.user_id = user.id
         left join channel as sending on sending.id = default_sending_channel_id
         left join channel as events on events.id = default_events_channel_id
        where is_bot = 1 and is_system_bot = 0 ${condition} order by user.id`,
      params,
    )
    return rows.map((row) => ({
      user_id: row.id,
      default_sending_stream: row.sending,
      default_events_register_stream: row.events,
      default_all_public_streams: row.default_all_public_channels === 1,
      services: JSON.parse(row.services ?? '[]') as Schemas['BotService'][],
    }))
  }
}

export class BotWriter extends BotReader {
  /** Sets whether the bot's event queues include all public channels by default. */
  async setAllPublicChannels(botId: UserId, isSet: boolean): Promise<void> {
    await this.session
      .knex('bot')
      .insert({ user_id: botId, default_all_public_channels: isSet, services: '[]' })
      .onConflict('user_id')
      .merge(['default_all_public_channels'])
  }
}

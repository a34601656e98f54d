import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Rows as the databases give them: numbers for booleans, JSON as text. */
type Row<Columns extends string, Numbers extends string = never> = {
  readonly [Column in Columns]: string
} & { readonly [Column in Numbers]: number }

/** What people keep for themselves, each person's own, as clients see it. One query each. */
export class OwnItemReader extends Repository {
  /** In the order in which they were made. */
  async savedSnippets(userId: UserId): Promise<Schemas['SavedSnippet'][]> {
    const rows = await this.session.all<Row<'title' | 'content', 'id' | 'created_at'>>(
      'select * from saved_snippet where user_id = ? order by id',
      [userId],
    )
    return rows.map(({ id, title, content, created_at }) => ({ id, title, content, date_created: created_at }))
  }

  /** Those that are still to be sent, the next first. */
  async scheduledMessages(userId: UserId): Promise<Schemas['ScheduledMessage'][]> {
    const rows = await this.session.all<
      Row<'recipients' | 'topic' | 'content' | 'rendered_content', 'id' | 'deliver_at' | 'has_failed'> & {
        readonly channel_id: number | null
      }
    >('select * from scheduled_message where sender_id = ? and is_delivered = 0 order by deliver_at, id', [userId])
    return rows.map(({ id, channel_id, recipients, topic, content, rendered_content, deliver_at, has_failed }) => ({
      scheduled_message_id: id,
      ...(channel_id === null
        ? { type: 'private' as const, to: JSON.parse(recipients) as number[] }
        : { type: 'stream' as const, to: channel_id, topic }),
      content,
      rendered_content,
      scheduled_delivery_timestamp: deliver_at,
      failed: has_failed === 1,
    }))
  }

  /** Those that are still to come, the next first. */
  async reminders(userId: UserId): Promise<Schemas['Reminder'][]> {
    const rows = await this.session.all<
      Row<'content' | 'rendered_content', 'id' | 'message_id' | 'deliver_at' | 'has_failed'>
    >('select * from reminder where user_id = ? and is_delivered = 0 order by deliver_at, id', [userId])
    return rows.map(({ id, message_id, content, rendered_content, deliver_at, has_failed }) => ({
      reminder_id: id,
      type: 'private',
      to: [userId],
      content,
      rendered_content,
      scheduled_delivery_timestamp: deliver_at,
      failed: has_failed === 1,
      reminder_target_message_id: message_id,
    }))
  }

  /** By fragment. */
  async navigationViews(userId: UserId): Promise<Schemas['NavigationView'][]> {
    const rows = await this.session.all<Row<'fragment', 'is_pinned'> & { readonly name: string | null }>(
      'select * from navigation_view where user_id = ? order by fragment',
      [userId],
    )
    return rows.map(({ fragment, is_pinned, name }) => ({ fragment, is_pinned: is_pinned === 1, name }))
  }

  /** Notices that are still to be shown, by name. */
  async onboardingSteps(userId: UserId): Promise<Schemas['OnboardingStep'][]> {
    const rows = await this.session.all<Row<'name'>>(
      'select name from onboarding_step where user_id = ? order by name',
      [userId],
    )
    return rows.map(({ name }) => ({ type: 'one_time_notice', name }))
  }

  /** By id. */
  async devices(userId: UserId): Promise<Record<string, Schemas['Device']>> {
    const rows = await this.session.all<{
      readonly id: number
      readonly push_key_id: number | null
      readonly push_token_id: string | null
      readonly pending_push_token_id: string | null
      readonly push_token_updated_at: number | null
      readonly push_registration_error_code: string | null
    }>('select * from device where user_id = ?', [userId])
    return Object.fromEntries(
      rows.map(({ id, push_token_updated_at, ...row }) => [
        id,
        {
          push_key_id: row.push_key_id,
          push_token_id: row.push_token_id,
          pending_push_token_id: row.pending_push_token_id,
          push_token_last_updated_timestamp: push_token_updated_at,
          push_registration_error_code: row.push_registration_error_code,
        },
      ]),
    )
  }

  /** What a bot's event queues get when it does not say; undefined where nobody has set anything. */
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

  /** Of one owner, or of everybody without one; deactivated ones too, by ascending id. */
  async bots(ownerId: UserId | undefined): Promise<Schemas['ManagedBot'][]> {
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
        where is_bot = 1 ${ownerId === undefined ? '' : 'and bot_owner_id = ?'} order by user.id`,
      ownerId === undefined ? [] : [ownerId],
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

import type { SubscriptionSpan } from '../../domain/channels/channel.ts'
import type { ChannelId, DirectGroupId, MessageId, UserId } from '../../domain/ids.ts'
import { Repository } from '../repository.ts'

/** A message as it is stored, with the name of its topic. */
export interface ExportedMessage {
  readonly id: MessageId
  readonly sender_id: number
  readonly channel_id: ChannelId | null
  readonly origin_channel_id: ChannelId | null
  readonly topic: string | null
  readonly direct_group_id: DirectGroupId | null
  readonly sent_at: number
  readonly client: string
  readonly is_me_message: number
  readonly content: string
  readonly rendered_content: string
  readonly last_edited_at: number | null
  readonly last_moved_at: number | null
  /** JSON, newest first. */
  readonly edit_history: string | null
}

/** Somebody's subscription to a channel. */
export interface ExportedSubscription {
  readonly user_id: UserId
  readonly channel_id: ChannelId
  readonly is_active: number
}

type Span = Pick<SubscriptionSpan, 'afterMessageId' | 'toMessageId'> & { readonly userId: UserId }

/** Rows as an export reads them: page by page along an index, whosever they are. What of them leaves, exports/ decides. */
export class ExportedRowReader extends Repository {
  /** By ascending id, from behind `after` up to `upTo`. */
  async messages(after: number, upTo: number, limit: number): Promise<ExportedMessage[]> {
    return this.session.all<ExportedMessage>(
      `select m.id, m.sender_id, m.channel_id, m.origin_channel_id, t.name as topic, m.direct_group_id, m.sent_at, m.client,
         m.is_me_message, m.content, m.rendered_content, m.last_edited_at, m.last_moved_at, m.edit_history
       from message m left join topic t on t.id = m.topic_id where m.id > ? and m.id <= ? order by m.id limit ?`,
      [after, upTo, limit],
    )
  }

  /** Whether there are more messages than `limit`. */
  async hasMoreMessages(limit: number): Promise<boolean> {
    return (await this.session.get('select id from message order by id limit 1 offset ?', [limit])) !== undefined
  }

  /** By user, behind `after`. */
  async subscriptions(channelId: ChannelId, after: number, limit: number): Promise<ExportedSubscription[]> {
    return this.session.all<ExportedSubscription>(
      `select user_id, channel_id, is_active from subscription where channel_id = ? and user_id > ?
       order by user_id limit ?`,
      [channelId, after, limit],
    )
  }

  /** Since when and until when people were subscribed to the channel, by message ids. */
  async spans(channelId: ChannelId): Promise<Span[]> {
    return this.session.all<Span>(
      `select user_id as userId, after_message_id as afterMessageId, to_message_id as toMessageId
       from subscription_span where channel_id = ?`,
      [channelId],
    )
  }

  /** Which file each of the messages refers to, by message. @param upTo the last of them, both ends included */
  async files(from: MessageId, upTo: MessageId): Promise<{ message_id: MessageId; attachment_id: number }[]> {
    return this.session.all(
      'select message_id, attachment_id from attachment_message where message_id between ? and ? order by message_id',
      [from, upTo],
    )
  }
}

import type { ScheduledMessage } from '../../domain/messages/scheduled-message.ts'
import { ownRows } from '../own-rows.ts'

interface ScheduledMessageRow {
  readonly channel_id: number | null
  /** JSON. */
  readonly recipients: string
  readonly topic: string
  readonly content: string
  readonly rendered_content: string
  readonly deliver_at: number
  readonly has_failed: number
  readonly is_read_by_sender: number
  readonly client: string
}

/** Scheduled messages, the next one first. */
export const scheduledMessages = ownRows<ScheduledMessage, ScheduledMessageRow>({
  table: 'scheduled_message',
  texts: ['content', 'rendered_content', 'recipients'],
  order: 'deliver_at, id',
  toRow: ({ destination, content, renderedContent, deliverAt, hasFailed, isReadBySender, client }) => ({
    ...(destination.kind === 'channel'
      ? { channel_id: destination.channelId, recipients: '[]', topic: destination.topic }
      : { channel_id: null, recipients: JSON.stringify(destination.userIds), topic: '' }),
    content,
    rendered_content: renderedContent,
    deliver_at: deliverAt,
    has_failed: hasFailed ? 1 : 0,
    is_read_by_sender: isReadBySender ? 1 : 0,
    client,
  }),
  fromRow: ({ id, channel_id, recipients, topic, content, rendered_content, deliver_at, client, ...row }) => ({
    id,
    destination:
      channel_id === null
        ? { kind: 'direct', userIds: JSON.parse(recipients) as number[] }
        : { kind: 'channel', channelId: channel_id, topic },
    content,
    renderedContent: rendered_content,
    deliverAt: deliver_at,
    hasFailed: row.has_failed === 1,
    isReadBySender: row.is_read_by_sender === 1,
    client,
  }),
})

import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Messages that are to be sent at a given time. */
export class ScheduledMessageReader extends Repository {
  /** Those that are still to be sent, the next first. */
  async of(userId: UserId): Promise<Schemas['ScheduledMessage'][]> {
    const rows = await this.session.all<
      {
        readonly recipients: string
        readonly topic: string
        readonly content: string
        readonly rendered_content: string
        readonly id: number
        readonly deliver_at: number
        readonly has_failed: number
      } & {
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
}

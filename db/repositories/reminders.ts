import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Reminders of messages. */
export class ReminderReader extends Repository {
  /** Those that are still to come, the next first. */
  async of(userId: UserId): Promise<Schemas['Reminder'][]> {
    const rows = await this.session.all<{
      readonly content: string
      readonly rendered_content: string
      readonly id: number
      readonly message_id: number
      readonly deliver_at: number
      readonly has_failed: number
    }>('select * from reminder where user_id = ? and is_delivered = 0 order by deliver_at, id', [userId])
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
}

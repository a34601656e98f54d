import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Devices of people, and their registration for push notifications. */
export class DeviceReader extends Repository {
  /** By id. */
  async of(userId: UserId): Promise<Record<string, Schemas['Device']>> {
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
}

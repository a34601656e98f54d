import { ROLE } from '../domain/users/roles.ts'
import type { Tx } from './repositories.ts'

/** Rows straight into a table, 400 a statement. */
export async function insertRows(tx: Tx, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 400) {
    await tx.session.knex(table).insert(rows.slice(start, start + 400))
  }
}

/** What each channel's own numbers have to be, by its id: counted from the rows that they are about. */
export const CHANNELS_COUNTED = `select c.id,
    (select count(*) from subscription s join user u on u.id = s.user_id
      where s.channel_id = c.id and s.is_active = 1 and u.is_active = 1) as subscriber_count,
    (select min(m.id) from message m where m.channel_id = c.id) as first_message_id
  from channel c order by c.id`

/** Accounts of members. */
export function userRows(ids: readonly number[]): Record<string, unknown>[] {
  return ids.map((id) => ({
    id,
    email: `${id}@parley.example`,
    email_key: `${id}@parley.example`,
    full_name: `User ${id}`,
    full_name_key: `user ${id}`,
    role: ROLE.member,
    is_active: true,
    is_bot: false,
    can_create_users: false,
    timezone: '',
    avatar_source: 'G',
    avatar_version: 1,
    date_joined: 0,
    api_key_hash: String(id),
    api_key_encrypted: '',
    read_through: 0,
    settings: '{}',
  }))
}

/** Public channels. */
export function channelRows(ids: readonly number[]): Record<string, unknown>[] {
  return ids.map((id) => ({
    id,
    name: `Channel ${id}`,
    name_key: `channel ${id}`,
    description: '',
    rendered_description: '',
    created_at: 0,
    invite_only: false,
    history_public_to_subscribers: true,
    is_web_public: false,
    is_archived: false,
    topics_policy: 'inherit',
    group_settings: '{}',
  }))
}

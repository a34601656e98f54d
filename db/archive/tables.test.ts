import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../server/testing.ts'
import { PRIVATE_TABLES } from './private-tables.ts'
import { FILES, ORGANIZATION_TABLES } from './tables.ts'

/** Columns that other files of an archive contain (exports/), and columns that no archive contains, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  organization: 'uuid string_id name description created_at settings new_account_settings pictures',
  user:
    'id email full_name role is_active is_bot is_system_bot bot_type bot_owner_id can_create_users ' +
    'can_change_user_emails timezone avatar_key avatar_source avatar_version date_joined read_through ' +
    'settings email_visibility profile_data',
  topic: 'channel_id name',
  direct_group_member: 'user_id group_id',
  message:
    'id sender_id channel_id origin_channel_id topic_id direct_group_id sent_at client is_me_message ' +
    'has_link has_image mentions_channel content rendered_content last_edited_at last_moved_at ' +
    'edit_history',
  reaction: 'message_id user_id reaction_type emoji_code emoji_name',
  submessage: 'id message_id sender_id msg_type content',
  attachment_message: 'attachment_id message_id',
  picture: 'path bytes',
  log_head: 'last_message_id',
}
const SECRET = 'a secret'
const FOLLOWS = 'follows from other rows'
const OWN = 'of the server itself'
const LEFT_OUT: Readonly<Record<string, string>> = {
  'organization.id': OWN,
  'organization.secret_check': SECRET,
  'organization.upload_space_used': FOLLOWS,
  'organization.deactivated_at': 'who imports it wants it to be there',
  'user.email_key': FOLLOWS,
  'user.full_name_key': FOLLOWS,
  'user.stand_in_email': FOLLOWS,
  'user.password_hash': SECRET,
  'user.api_key_hash': SECRET,
  'user.api_key_encrypted': SECRET,
  'user.key_version': SECRET,
  'user.is_imported_stub': OWN,
  'channel.is_recently_active': FOLLOWS,
  'channel.weekly_traffic': FOLLOWS,
  'channel.activity_counted_at': FOLLOWS,
  'channel.subscriber_count': FOLLOWS,
  'channel.first_message_id': FOLLOWS,
  'topic.id': OWN,
  'topic.topic_key': FOLLOWS,
  'topic.max_message_id': FOLLOWS,
  'message.has_attachment': FOLLOWS,
  'attachment.unused_since': FOLLOWS,
  attachment_history: FOLLOWS,
  image: FOLLOWS,
  thumbnail: FOLLOWS,
  'user.edited_settings': 'nobody knows it of imported accounts',
  'subscription_span.id': OWN,
  'alert_word.id': OWN,
  'reaction.id': OWN,
  'log_head.id': OWN,
  'log_head.last_event_id': OWN,
  'log_head.event_bytes': OWN,
  direct_group: FOLLOWS,
  message_search: FOLLOWS,
  search_backlog: OWN,
  search_pending: OWN,
  event: OWN,
  event_queue: OWN,
  role_change: OWN,
  job_lease: OWN,
  data_export: OWN,
  message_removal: OWN,
  push_cursor: OWN,
  pushed_message: OWN,
  migration: OWN,
  migration_lock: OWN,
  sqlite_sequence: OWN,
  device: SECRET,
  push_token: SECRET,
  invitation: SECRET,
}

test('an archive has every column of every table, except those with a reason', async (t) => {
  const { db } = await openDatabase(t, 'sqlite')
  const session = db.read.session
  const archived = new Set<string>(
    Object.entries(ELSEWHERE).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`)),
  )
  for (const { table, columns, derived } of [...ORGANIZATION_TABLES, ...PRIVATE_TABLES, FILES]) {
    const some = { group_settings: '{}', creator_id: null }
    for (const name of [...Object.keys(columns), ...Object.keys(derived?.(some) ?? {})])
      archived.add(`${table}.${name}`)
  }
  const found = new Set<string>()
  const tables = await session.all<{ name: string }>("select name from sqlite_master where type = 'table'")
  for (const { name: table } of tables) {
    if (table.startsWith('message_search_')) continue
    if (LEFT_OUT[table] !== undefined) found.add(table)
    else {
      const columns = await session.all<{ name: string }>(`select name from pragma_table_info('${table}')`)
      for (const { name } of columns) found.add(`${table}.${name}`)
    }
  }
  const missing = [...found].filter((name) => !archived.has(name) && LEFT_OUT[name] === undefined)
  assert.deepEqual(
    missing,
    [],
    'put them into db/archive/tables.ts, private-tables.ts or exports/, or say here why no archive has them',
  )
  const unknown = [...archived, ...Object.keys(LEFT_OUT)].filter((name) => !found.has(name))
  assert.deepEqual(unknown, [], 'there are no such columns')
})

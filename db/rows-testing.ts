import type { MessageId, UserId } from '../domain/ids.ts'
import { ROLE } from '../domain/users/roles.ts'
import type { NewMessage } from './repositories/messages.ts'
import type { NewUser } from './repositories/users.ts'
import type { Tx } from './repositories.ts'

/** Inserts rows directly into a table, 400 per statement. */
export async function insertRows(
  { session }: Pick<Tx, 'session'>,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += 400) {
    await session.knex(table).insert(rows.slice(start, start + 400))
  }
}

const COPIED = `sender_id, channel_id, origin_channel_id, topic_id, sent_at, client, is_me_message, has_link, has_image,
  has_attachment, mentions_channel, content, rendered_content`

/**
 * Copies the messages of a topic, with their flags, until there are `count`, because sending that many takes much
 * longer. A running server must drop its rows in memory afterwards.
 * @returns the ids of the messages, ascending
 */
export async function multiplyTopic(
  { session }: Pick<Tx, 'session'>,
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  count: number,
): Promise<number[]> {
  const row = await session.get<{ id: number }>('select id from topic where channel_id = ? and name = ?', [
    ...[channelId, topic],
  ])
  const head = await session.get<{ newest: number }>('select last_message_id as newest from log_head', [])
  if (!row || !head) throw new Error(`there is no topic '${topic}'`)
  const idsOf = async (): Promise<number[]> => {
    const rows = await session.all<{ id: number }>('select id from message where topic_id = ? order by id', [row.id])
    return rows.map(({ id }) => id)
  }
  const sent = (await idsOf()).length
  for (let copy = 1; copy < count / sent; copy += 1) {
    const params = [copy * head.newest, row.id, head.newest]
    const ours = 'topic_id = ? and id <= ?'
    await session.run(`insert into message (id, ${COPIED}) select id + ?, ${COPIED} from message where ${ours}`, params)
    await session.run(
      `insert into message_flag (user_id, message_id, flags) select user_id, message_id + ?, flags from message_flag
         where message_id in (select id from message where ${ours})`,
      params,
    )
  }
  const ids = await idsOf()
  const newest = ids.at(-1) ?? 0
  await session.run('update topic set max_message_id = ? where id = ?', [newest, row.id])
  await session.run('update log_head set last_message_id = ?', [newest])
  return ids
}

/** Returns the SQL for the expected counters of each channel, by ID, counted from the rows. */
export const CHANNELS_COUNTED = `select c.id,
    (select count(*) from subscription s join user u on u.id = s.user_id
      where s.channel_id = c.id and s.is_active = 1 and u.is_active = 1) as subscriber_count,
    (select min(m.id) from message m where m.channel_id = c.id) as first_message_id
  from channel c order by c.id`

/** Rows of accounts with the role of a member. */
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

/** Rows of public channels. */
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

/** A member, as `tx.users.insert` takes it. */
export function plainUser(name: string): NewUser {
  return {
    email: `${name}@parley.example`,
    fullName: name,
    role: ROLE.member,
    isBot: false,
    botOwnerId: null,
    canCreateUsers: false,
    dateJoined: 0,
    passwordHash: null,
    apiKeyHash: name,
    apiKeyEncrypted: '',
  }
}

/** A message of user 1, as `tx.messages.insert` takes it. */
export function plainMessage(id: MessageId, place: NewMessage['place']): NewMessage {
  return {
    id,
    senderId: 1 as UserId,
    place,
    sentAt: 0,
    client: 'test',
    isMeMessage: false,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    mentionsChannel: false,
    content: 'x',
    renderedContent: 'x',
  }
}

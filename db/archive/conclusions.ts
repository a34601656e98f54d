import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../../domain/attachments/thumbnails.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { placeholders } from '../dialect.ts'
import { NOTHING_REFERS } from '../repositories/attachments.ts'
import type { SqlValue } from '../session.ts'

/**
 * Statements that compute the data that archives leave out because it follows from the rest. @param now UNIX seconds
 */
export function conclusions(
  lastMessageId: number,
  now: number,
): readonly (readonly [sql: string, ...params: SqlValue[]])[] {
  const isSubscribed = `exists (select 1 from subscription s join user u on u.id = s.user_id
    where s.user_id = subscription_span.user_id and s.channel_id = subscription_span.channel_id
      and s.is_active = 1 and u.is_active = 1)`
  // MySQL cannot update a table that the statement reads unless it reads a copy; `distinct` makes one.
  const owners = '(select id from (select distinct id from user where role = ?) as owner)'
  const belowOwners = `update user set role = ? where role < ? and bot_owner_id in ${owners}`
  return [
    // In earlier releases a bot could have a higher role than its owner.
    ...Object.values(ROLE).map((role) => [belowOwners, role, role, role] as const),
    [`update attachment set unused_since = ? where ${NOTHING_REFERS}`, now],
    // Thumbnails are made by the server after the import.
    [
      `insert into image (attachment_id, owner_id) select id, owner_id from attachment
        where content_type in ${placeholders(IMAGE_TYPES.length)} and size <= ?`,
      ...IMAGE_TYPES,
      MAX_IMAGE_BYTES,
    ],
    // The server adds these to the full-text index after the import.
    ['update search_backlog set up_to_message_id = ?', lastMessageId],
    [
      `update channel set
        subscriber_count = (select count(*) from subscription s join user u on u.id = s.user_id
          where s.channel_id = channel.id and s.is_active = 1 and u.is_active = 1),
        first_message_id = (select min(m.id) from message m where m.channel_id = channel.id)`,
    ],
    ['update topic set max_message_id = coalesce((select max(m.id) from message m where m.topic_id = topic.id), 0)'],
    [
      `update subscription_span set to_message_id = ?, to_event_id = 0 where to_message_id is null and not ${isSubscribed}`,
      lastMessageId,
    ],
    // For users without a record of received messages, reception begins now.
    [
      `insert into subscription_span (user_id, channel_id, after_message_id, after_event_id)
        select s.user_id, s.channel_id, ?, 0 from subscription s join user u on u.id = s.user_id
        where s.is_active = 1 and u.is_active = 1 and not exists (select 1 from subscription_span p
          where p.user_id = s.user_id and p.channel_id = s.channel_id and p.to_message_id is null)`,
      lastMessageId,
    ],
    ['update organization set upload_space_used = (select coalesce(sum(size), 0) from attachment)'],
  ]
}

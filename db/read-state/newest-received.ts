import type { MessageId } from '../../domain/ids.ts'
import type { Viewer } from '../narrow/resolved-narrow.ts'
import type { Session } from '../session.ts'

/**
 * Returns the newest message that the viewer received when it was sent, readable or not; undefined if there is none.
 * Takes an index look-up for each subscription period and conversation.
 */
export async function newestReceived(session: Session, viewer: Viewer): Promise<MessageId | undefined> {
  const row = await session.get<{ channels: MessageId | null; conversations: MessageId | null }>(
    `select (select max(s.id) from (select (select m.id from message m where m.origin_channel_id = p.channel_id
          and m.id > p.after_message_id and (p.to_message_id is null or m.id <= p.to_message_id)
          order by m.id desc limit 1) as id from subscription_span p where p.user_id = ?) s) as channels,
       (select max(d.id) from (select (select m.id from message m where m.direct_group_id = g.group_id
          order by m.id desc limit 1) as id from direct_group_member g where g.user_id = ?) d) as conversations`,
    [viewer.id, viewer.id],
  )
  const newest = Math.max(row?.channels ?? 0, row?.conversations ?? 0)
  return newest === 0 ? undefined : (newest as MessageId)
}

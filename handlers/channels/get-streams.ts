import { unixSeconds } from '../../domain/clock.ts'
import { channelLists } from '../../events/state/channels.ts'
import type { Handler } from '../handler.ts'

/** GET /streams: channels that the caller may know of and that fall under one of the chosen kinds. */
export const getStreams: Handler<'get-streams'> = async ({ input, actor, db, clock }) => {
  const lists = await channelLists(db.read, actor, { includeSubscribers: 'false', now: unixSeconds(clock) })
  const streams = lists.streams.filter(
    (channel) =>
      input.include_all ||
      (input.include_public && !channel.invite_only && lists.isReadable(channel)) ||
      (input.include_web_public && channel.is_web_public) ||
      (input.include_subscribed && lists.isSubscribed(channel.stream_id)),
  )
  return { streams }
}

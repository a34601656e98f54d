import { markNarrowRead } from '../../actions/messages/mark-read.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { accessChannelToRead } from '../../permissions/read-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /mark_stream_as_read. */
export const markStreamAsRead: Handler<'mark-stream-as-read'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const channel = await accessChannelToRead(tx, actor, input.stream_id as ChannelId)
    const terms = [{ kind: 'channel', channelId: channel.id, negated: false }] as const
    await markNarrowRead(tx, actor, { terms, isHistoryShared: false })
  })
  return {}
}

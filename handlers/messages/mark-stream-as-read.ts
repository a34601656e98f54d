import { markPlacesRead } from '../../actions/messages/mark-read.ts'
import { MessagesOfPlaces } from '../../db/read-state/messages-of-places.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { accessChannelToRead } from '../../permissions/read-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /mark_stream_as_read. */
export const markStreamAsRead: Handler<'mark-stream-as-read'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const channel = await accessChannelToRead(tx, actor, input.stream_id as ChannelId)
    const messages = new MessagesOfPlaces(tx.session, 'channel_id', new Pauses())
    await markPlacesRead(tx, actor, [channel.id], messages)
  })
  return {}
}

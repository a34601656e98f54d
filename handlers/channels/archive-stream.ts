import { archiveChannel } from '../../actions/channels/archive-channel.ts'
import { markReadBySome } from '../../actions/messages/mark-read.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** DELETE /streams/{stream_id}: archives the channel, and then marks its messages as read for everybody. */
export const archiveStream: Handler<'archive-stream'> = async ({ input, write }) => {
  const id = input.stream_id as ChannelId
  let after: number | undefined = await write(async (tx, actor) => {
    const { channel, rights } = await accessChannel(tx, actor, id)
    if (!rights.mayAdminister) throw new BadRequestError('You do not have permission to administer this channel.')
    await archiveChannel(tx, channel)
    return markReadBySome(tx, id, 0)
  })
  while (after !== undefined) {
    const from: number = after
    after = await write(async (tx) => {
      // Somebody may have restored it meanwhile.
      const isArchived = (await tx.channels.byId(id))?.isArchived
      return isArchived ? markReadBySome(tx, id, from) : undefined
    })
  }
  return {}
}

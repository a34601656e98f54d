import { archiveChannel } from '../../actions/channels/archive-channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** DELETE /streams/{stream_id}: archives the channel. */
export const archiveStream: Handler<'archive-stream'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const { channel, rights } = await accessChannel(tx, actor, input.stream_id)
    if (!rights.mayAdminister) throw new BadRequestError('You do not have permission to administer this channel.')
    await archiveChannel(tx, channel)
  })
  return {}
}

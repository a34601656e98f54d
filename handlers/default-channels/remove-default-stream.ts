import { removeDefaultChannel } from '../../actions/channels/default-channels.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** DELETE /default_streams */
export const removeDefaultStream: Handler<'remove-default-stream'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const { channel } = await accessChannel(tx, actor, input.stream_id)
    await removeDefaultChannel(tx, channel.id)
  })
  return {}
}

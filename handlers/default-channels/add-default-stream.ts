import { addDefaultChannels } from '../../actions/channels/default-channels.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Handler } from '../handler.ts'

/** POST /default_streams */
export const addDefaultStream: Handler<'add-default-stream'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const { channel } = await accessChannel(tx, actor, input.stream_id)
    await addDefaultChannels(tx, [channel])
  })
  return {}
}

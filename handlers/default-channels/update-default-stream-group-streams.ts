import { addToDefaultGroup, channelsNamed, removeFromDefaultGroup } from '../../actions/channels/default-channels.ts'
import type { Handler } from '../handler.ts'

const CHANGES = { add: addToDefaultGroup, remove: removeFromDefaultGroup }

/** PATCH /default_stream_groups/{group_id}/streams */
export const updateDefaultStreamGroupStreams: Handler<'update-default-stream-group-streams'> = async ({
  input: { group_id, op, stream_names },
  write,
}) => {
  await write(async (tx) => CHANGES[op](tx, group_id, await channelsNamed(tx, stream_names)))
  return {}
}

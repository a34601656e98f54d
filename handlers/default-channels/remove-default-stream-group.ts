import { removeDefaultGroup } from '../../actions/channels/default-channels.ts'
import type { Handler } from '../handler.ts'

/** DELETE /default_stream_groups/{group_id} */
export const removeDefaultStreamGroup: Handler<'remove-default-stream-group'> = async ({ input, write }) => {
  await write((tx) => removeDefaultGroup(tx, input.group_id))
  return {}
}

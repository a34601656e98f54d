import { reorderFolders } from '../../actions/channels/channel-folders.ts'
import type { Handler } from '../handler.ts'

/** PATCH /channel_folders */
export const reorderChannelFolders: Handler<'reorder-channel-folders'> = async ({ input, write }) => {
  await write((tx) => reorderFolders(tx, input.order))
  return {}
}

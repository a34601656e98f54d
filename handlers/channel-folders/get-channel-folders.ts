import { Pauses } from '../../event-loop/pauses.ts'
import type { Handler } from '../handler.ts'

/** GET /channel_folders */
export const getChannelFolders: Handler<'get-channel-folders'> = async ({ input, actor, db, hasLeft }) => {
  const folders = await db.read.channelFolders.all(new Pauses({ worker: actor.id, hasLeft }))
  return { channel_folders: folders.filter((folder) => input.include_archived || !folder.is_archived) }
}

import type { Handler } from '../handler.ts'

/** GET /channel_folders */
export const getChannelFolders: Handler<'get-channel-folders'> = async ({ input, db, pauses }) => {
  const folders = await db.read.channelFolders.all(pauses)
  return { channel_folders: folders.filter((folder) => input.include_archived || !folder.is_archived) }
}

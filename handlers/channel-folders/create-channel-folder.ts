import { createFolder, folderText } from '../../actions/channels/channel-folders.ts'
import type { Handler } from '../handler.ts'

/** POST /channel_folders/create */
export const createChannelFolder: Handler<'create-channel-folder'> = async ({ input, write }) => {
  const text = folderText(input)
  const folder = await write((tx, actor) => createFolder(tx, actor, text))
  return { channel_folder_id: folder.id }
}

import { changeFolder, folderText } from '../../actions/channels/channel-folders.ts'
import type { Handler } from '../handler.ts'

/** PATCH /channel_folders/{channel_folder_id} */
export const updateChannelFolder: Handler<'update-channel-folder'> = async ({ input, write }) => {
  const { channel_folder_id: id, is_archived, ...texts } = input
  const wanted = { ...folderText(texts), ...(is_archived !== undefined && { is_archived }) }
  await write((tx) => changeFolder(tx, id, wanted))
  return {}
}

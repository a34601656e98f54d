import type { StatePart } from './state-request.ts'

/** Fetch type `channel_folders`. */
export const part: StatePart = async ({ channelFolders }, _actor, { isWanted, pauses }) => ({
  ...(isWanted('channel_folders') && { channel_folders: await channelFolders.all(pauses) }),
})

import { byKey } from './order.ts'
import { type ClientPart, MisfitError } from './state.ts'

interface Folder {
  readonly id: number
  order: number
  readonly [other: string]: unknown
}

export interface FolderFields {
  channel_folders: Folder[]
}

export const part: ClientPart<FolderFields> = {
  fetched: ['channel_folders'],
  empty: { channel_folders: [] },
  apply: {
    'channel_folder add': (state, { channel_folder: folder }: { channel_folder: Folder }) => {
      state.channel_folders = [...state.channel_folders.filter(({ id }) => id !== folder.id), folder]
    },
    'channel_folder update': (state, event: { channel_folder_id: number; data: object }) => {
      const folder = state.channel_folders.find(({ id }) => id === event.channel_folder_id)
      if (!folder) throw new MisfitError(`folder ${event.channel_folder_id} changed, which no event made known`)
      Object.assign(folder, event.data)
    },
    'channel_folder reorder': (state, { order }: { order: readonly number[] }) => {
      for (const folder of state.channel_folders) folder.order = order.indexOf(folder.id)
    },
  },
  normalize: (state) => ({ channel_folders: byKey(state.channel_folders, ({ id }) => id) }),
}

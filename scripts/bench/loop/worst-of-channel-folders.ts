import { always, type Scene, type WorstCalls } from './scene.ts'

/** Ids of a thousand folders, created once. */
const manyFolders = (scene: Scene) =>
  scene.once('folders', async () => {
    const ids: number[] = []
    for (let index = 0; index < 1000; index += 1) {
      const folder = { name: scene.unique('Folder'), description: '**x** '.repeat(100) }
      ids.push((await scene.as('owner').must('POST', '/channel_folders/create', folder)).channel_folder_id)
    }
    return ids
  })

export const worstCalls: WorstCalls = {
  'create-channel-folder': [
    {
      what: 'beside 1,000 others',
      prepare: manyFolders,
      call: (scene) =>
        scene
          .as('owner')
          .post('/channel_folders/create', { name: scene.unique('New'), description: '*x* '.repeat(256) }),
    },
  ],
  'get-channel-folders': [
    { what: '1,000', prepare: manyFolders, call: always('GET', '/channel_folders', { include_archived: true }) },
  ],
  'reorder-channel-folders': [
    {
      what: '1,000',
      prepare: manyFolders,
      call: (scene, ids) => {
        const order = [...(ids as number[])]
        return scene.as('owner').patch('/channel_folders', { order: scene.turn() ? order : order.reverse() })
      },
    },
  ],
  'update-channel-folder': [
    {
      what: 'renamed beside 1,000 others',
      prepare: manyFolders,
      call: (scene, ids) =>
        scene.as('owner').patch(`/channel_folders/${(ids as number[])[0]}`, { name: scene.unique('Renamed') }),
    },
  ],
}

import type { Answer } from '../../../server/testing.ts'
import { always, type Scene, type WorstCalls } from './scene.ts'

/** A GIF of one pixel with that many frames. */
export const gif = (frames: number): string =>
  `GIF89a\x01\0\x01\0\0\0\0${',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0'.repeat(frames)};`

function add(scene: Scene, name: string, frames: number): Promise<Answer> {
  const body = new FormData()
  body.append('file', new File([gif(frames)], 'emoji.gif', { type: 'image/gif' }))
  return scene.as('owner').request('POST', `/realm/emoji/${name}`, {}, { body })
}

const nameOf = (scene: Scene): string => scene.unique('emoji').replace(' ', '_')

/** One emoji less than the maximum; each change sends them all. */
const manyEmoji = (scene: Scene) =>
  scene.once('custom emoji', async () => {
    for (let count = 0; count < 800; count += 1) await add(scene, nameOf(scene), 1)
    await add(scene, nameOf(scene), 1000)
    const { emoji } = await scene.as('owner').must('GET', '/realm/emoji')
    return Object.values(emoji).at(-1) as { readonly source_url: string; readonly still_url: string }
  })

export const worstCalls: WorstCalls = {
  'get-custom-emoji': [{ prepare: manyEmoji, call: always('GET', '/realm/emoji') }],
  'add-custom-emoji': [
    { what: 'a thousand frames', prepare: manyEmoji, call: (scene) => add(scene, nameOf(scene), 1000) },
  ],
  'deactivate-custom-emoji': [
    {
      prepare: async (scene) => {
        await manyEmoji(scene)
        const name = nameOf(scene)
        await add(scene, name, 1)
        return name
      },
      call: (scene, name) => scene.as('owner').delete(`/realm/emoji/${name}`),
    },
  ],
  'get-emoji-picture': [
    {
      prepare: manyEmoji,
      call: (scene, emoji) => scene.reader.fetch((emoji as { source_url: string }).source_url),
    },
  ],
  'get-still-emoji-picture': [
    {
      prepare: manyEmoji,
      call: (scene, emoji) => scene.reader.fetch((emoji as { still_url: string }).still_url),
    },
  ],
}

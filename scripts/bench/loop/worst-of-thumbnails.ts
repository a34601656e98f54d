import type { Scene, WorstCalls } from './scene.ts'
import { gif } from './worst-of-custom-emoji.ts'

/** Path of an image whose thumbnails exist. */
async function shownImage({ reader, unique }: Scene): Promise<string> {
  const { queue_id, last_event_id } = await reader.must('POST', '/register', { event_types: ['update_message'] })
  const { url } = (await reader.upload(`${unique('image')}.gif`, gif(1000))).body
  await reader.must('POST', '/messages', { type: 'direct', to: [reader.userId], content: `[image](${url})` })
  await reader.must('GET', '/events', { queue_id, last_event_id })
  return url
}

const prepare = (scene: Scene) => scene.once('shown image', () => shownImage(scene))

export const worstCalls: WorstCalls = {
  'get-thumbnail': [
    {
      prepare,
      call: (scene, url) =>
        scene.reader.fetch(`${String(url).replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`),
    },
  ],
  'get-thumbnail-status': [
    { prepare, call: (scene, url) => scene.reader.get(String(url).replace('/user_uploads/', '/thumbnail/status/')) },
  ],
}

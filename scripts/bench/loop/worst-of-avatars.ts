import type { Answer } from '../../../server/testing.ts'
import { always, type Scene, type WorstCalls } from './scene.ts'
import { gif } from './worst-of-custom-emoji.ts'

function upload(scene: Scene, frames: number): Promise<Answer> {
  const body = new FormData()
  body.append('file', new File([gif(frames)], 'me.gif', { type: 'image/gif' }))
  return scene.reader.request('POST', '/users/me/avatar', {}, { body })
}

export const worstCalls: WorstCalls = {
  'upload-own-avatar': [{ what: 'a thousand frames', call: (scene) => upload(scene, 1000) }],
  'remove-own-avatar': [{ prepare: (scene) => upload(scene, 1), call: always('DELETE', '/users/me/avatar') }],
  'get-avatar-picture': [
    {
      prepare: (scene) => upload(scene, 1),
      call: (scene, uploaded) => scene.reader.fetch((uploaded as Answer).body.avatar_url),
    },
  ],
}

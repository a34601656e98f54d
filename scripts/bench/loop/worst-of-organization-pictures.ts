import type { Answer } from '../../../server/testing.ts'
import { always, type Scene, type WorstCall, type WorstCalls } from './scene.ts'
import { gif } from './worst-of-custom-emoji.ts'

function upload(scene: Scene, path: string, frames: number): Promise<Answer> {
  const body = new FormData()
  body.append('file', new File([gif(frames)], 'icon.gif', { type: 'image/gif' }))
  return scene.as('owner').request('POST', path, {}, { body })
}

const remove = (path: string): readonly [WorstCall] => [
  {
    prepare: (scene) => upload(scene, path, 1),
    call: (scene) => scene.as('owner').request('DELETE', path, {}),
  },
]

export const worstCalls: WorstCalls = {
  'upload-realm-icon': [{ what: 'a thousand frames', call: (scene) => upload(scene, '/realm/icon', 1000) }],
  'remove-realm-icon': remove('/realm/icon'),
  'get-realm-icon': [{ prepare: (scene) => upload(scene, '/realm/icon', 1), call: always('GET', '/realm/icon') }],
  'upload-realm-logo': [{ what: 'a thousand frames', call: (scene) => upload(scene, '/realm/logo', 1000) }],
  'remove-realm-logo': remove('/realm/logo'),
  'get-realm-logo': [{ prepare: (scene) => upload(scene, '/realm/logo', 1), call: always('GET', '/realm/logo') }],
  'get-realm-picture': [
    {
      prepare: (scene) => upload(scene, '/realm/icon', 1),
      call: (scene, uploaded) => scene.reader.fetch((uploaded as Answer).body.icon_url),
    },
  ],
}

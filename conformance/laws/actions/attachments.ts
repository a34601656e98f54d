import fc from 'fast-check'
import { kind } from '../action-kind.ts'

export const actions = [
  // Uploads it, sends it to somebody, and perhaps deletes it again.
  kind(
    'share file',
    1,
    ({ who }) => ({ other: who, isDeleted: fc.boolean() }),
    async (world, { who, other, isDeleted }) => {
      const [sharer, to] = [world.person(who), [world.person(other).userId]]
      const { url } = (await sharer.must('upload-file', { file: 'x' })).body
      const sent = await world.send(sharer, { type: 'direct', to, content: `[notes](${url})` })
      if (!isDeleted) return sent
      const { attachments } = (await sharer.must('get-attachments')).body
      const own = attachments.find((one: { path_id: string }) => url.endsWith(one.path_id))
      return sharer.call('delete-attachment', { attachment_id: own.id })
    },
    { isOurs: true },
  ),
]

import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import { kind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

const fileText = 'a text'

export const requests: Requests = {
  'upload-file': () => ({ file: fileText }),
  'get-temporary-link': ({ user }) => newFile(user),
  'get-uploaded-file': async ({ user }) => {
    const { realm_id_str, filename } = await newFile(user)
    const [file_key, file_name] = filename.split('/')
    return { as: user, values: { realm_id_str, file_key, file_name }, answer: fileText }
  },
  'get-temporary-file': async ({ user }) => {
    const { body } = await user.must('get-temporary-link', await newFile(user))
    const [, , , expires_at, signature, realm_id_str, file_key, file_name] = String(body.url).split('/')
    const values = { expires_at, signature, realm_id_str, file_key, file_name }
    return { as: user, values, answer: fileText }
  },
  'delete-attachment': async ({ user }) => {
    await user.must('upload-file', { file: fileText })
    const { body } = await user.must('get-attachments')
    return { attachment_id: body.attachments[0]?.id }
  },
}

/** Where a text that `user` uploads is, as parameters of the operations that read it. */
async function newFile(user: Account): Promise<{ realm_id_str: string; filename: string }> {
  const { body } = await user.must('upload-file', { file: fileText })
  const [, , realm = '', ...name] = String(body.url ?? body.uri).split('/')
  return { realm_id_str: realm, filename: name.join('/') }
}

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

import fc from 'fast-check'
import { type Account, LeftOutError } from '../deployment/account.ts'
import { listen } from '../kernel/listening.ts'
import { ourKind } from '../laws/action-kind.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import { pictureOf } from './custom-emoji.ts'
import type { Requests } from './right-request.ts'

const fileText = 'a text'

export const requests: Requests = {
  'upload-file': () => ({ file: fileText }),
  'get-temporary-link': ({ user }) => newFile(user),
  'get-uploaded-file': async ({ user }) => ({ as: user, values: inParts(await newFile(user)), answer: fileText }),
  'get-temporary-file': async ({ user }) => {
    const { body } = await user.must('get-temporary-link', await newFile(user))
    const [, , , expires_at, signature, realm_id_str, file_key, file_name] = String(body.url).split('/')
    const values = { expires_at, signature, realm_id_str, file_key, file_name }
    return { as: user, values, answer: fileText }
  },
  'get-thumbnail': async ({ user }) => {
    const place = await newFile(user, pictureOf(1))
    const { html } = await showImage(user, place)
    // Then nothing says when there is a thumbnail.
    if (html?.includes('<img') === false) throw new LeftOutError('this organization shows no images in messages')
    const values = { ...inParts(place), thumbnail_format: '840x560.webp' }
    const path = `/user_uploads/thumbnail/${place.realm_id_str}/${place.filename}/${values.thumbnail_format}`
    const { text } = await user.send({ method: 'GET', path })
    return { as: user, values, answer: text }
  },
  'get-thumbnail-status': ({ user }) => newFile(user, pictureOf(1)),
  'delete-attachment': async ({ user }) => {
    await user.must('upload-file', { file: fileText })
    const { body } = await user.must('get-attachments')
    return { attachment_id: body.attachments[0]?.id }
  },
}

/** The path of a file, as parameters of the operations that read it. */
export type FilePlace = Readonly<Record<'realm_id_str' | 'filename', string>>

function inParts({ realm_id_str, filename }: FilePlace) {
  const [file_key, file_name] = filename.split('/')
  return { realm_id_str, file_key, file_name }
}

/** The result of sending a message that shows an image. */
interface ShownImage {
  readonly id: number
  /** HTML with the thumbnail; undefined if it was not ready in time. */
  readonly html: string | undefined
  /** The event that brought the thumbnail; undefined if it was there at once. */
  readonly event: Json
  readonly exchange: Exchange
}

/** Sends `user` a message to themselves that links to an image, and waits for its thumbnail. */
export async function showImage(user: Account, { realm_id_str, filename }: FilePlace): Promise<ShownImage> {
  const queue = await listen(user, ['update_message'])
  const content = `[image](/user_uploads/${realm_id_str}/${filename})`
  const sent = await user.must('send-message', { type: 'direct', to: [user.userId], content })
  const id = Number(sent.body.id)
  const exchange = await user.must('get-message', { message_id: id })
  const { content: html } = exchange.body.message
  const isReady = !html.includes('image-loading-placeholder')
  const told = isReady ? undefined : await queue.until({ message_id: id, rendering_only: true })
  await queue.close()
  if (!told) return { id, html, event: undefined, exchange }
  return { id, html: told.event?.rendered_content, event: told.event, exchange: told.exchange }
}

/** Uploads a file as `user`. */
export async function newFile(user: Account, file?: string): Promise<FilePlace> {
  return placeAt(await uploadedPath(user, file))
}

/** Uploads a file as `user`. @returns its path on the server */
export async function uploadedPath(user: Account, file: string = fileText): Promise<string> {
  const { body } = await user.must('upload-file', { file })
  return String(body.url ?? body.uri)
}

export function placeAt(path: string): FilePlace {
  const [, , realm = '', ...name] = path.split('/')
  return { realm_id_str: realm, filename: name.join('/') }
}

/** Uploads a file, sends it to somebody, and sometimes deletes it again. */
function sharing(name: string, file: string) {
  return ourKind(
    name,
    ({ who }) => ({ other: who, isDeleted: fc.boolean() }),
    async (world, { who, other, isDeleted }) => {
      const [sharer, to] = [world.person(who), [world.person(other).userId]]
      const { url } = (await sharer.must('upload-file', { file })).body
      const sent = await world.send(sharer, { type: 'direct', to, content: `[notes](${url})` })
      if (!isDeleted) return sent
      const { attachments } = (await sharer.must('get-attachments')).body
      const own = attachments.find((one: { path_id: string }) => url.endsWith(one.path_id))
      return sharer.call('delete-attachment', { attachment_id: own.id })
    },
  )
}

// The thumbnail of a picture comes later, maybe after its deletion.
export const actions = [sharing('share file', 'x'), sharing('show image', pictureOf(1))]

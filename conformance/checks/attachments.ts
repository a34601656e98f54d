import { newFile, placeAt, showImage, uploadedPath } from '../acts/attachments.ts'
import { pictureOf } from '../acts/custom-emoji.ts'
import type { Account } from '../deployment/account.ts'
import { described } from '../deployment/described.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effect, effectNamed } from '../kernel/effect.ts'
import { fetched, isNow, needEditing, organizationOf, post } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import { canonical } from '../wire/values.ts'
import { succeeds } from './outcomes.ts'

/** More bytes than characters. */
const text = 'Ein Boot heißt „Möwe“. 😀\n'
/** So large that files of other checks do not matter. */
const largeSize = 1_000_000

export const checks: readonly WrittenCheck[] = [
  {
    id: 'attachments/record',
    title: 'an uploaded file is listed, and served at the listed path',
    requirements: ids('ATTACH', [1, 2, 3, 4, 5]),
    async run(t) {
      const { user } = await t.scene()
      const pathId = await upload(user)
      const exchange = await user.must('get-attachments')
      const file = fileOf(exchange, pathId)
      t.that('ATTACH-3', exchange, file !== undefined, `an attachment with the \`path_id\` "${pathId}"`)
      if (file === undefined) return
      t.that('ATTACH-1', exchange, Number.isInteger(file.id), '`id` is an integer')
      t.that('ATTACH-2', exchange, file.name === 'conformance.txt', '`name` is "conformance.txt"')
      const size = Buffer.byteLength(text)
      t.that('ATTACH-4', exchange, file.size === size, `\`size\` is ${size}`)
      t.that('ATTACH-5', exchange, isNow(file.create_time, exchange), '`create_time` is the present second')
      const served = await servedAt(t, user, pathId)
      const isServed = served.text === text || served.headers.has('location') // a store that the suite cannot read
      t.that('ATTACH-3', served, isServed, 'the file that was uploaded')
      await user.call('delete-attachment', { attachment_id: file.id })
    },
  },
  {
    id: 'attachments/references',
    title: 'a file lists the messages that link to it',
    requirements: [...ids('ATTACH', [6, 7]), ...ids('MSG-EDIT', [52, 53, 54])],
    async run(t) {
      const { user: owner, other, channel } = await t.scene()
      needEditing(t, await organizationOf(owner))
      const pathId = await upload(owner)
      const topic = t.unique('attachments')
      const link = (author: Account, more = ''): Promise<number> =>
        post(author, channel, topic, `[conformance.txt](/user_uploads/${pathId}) ${more}`)
      const unlink = (author: Account, id: number, more: object = {}): Promise<Exchange> =>
        author.must('update-message', { message_id: id, content: 'No file any more.', ...more })
      const references = async (requirement: string, wanted: readonly number[]): Promise<void> => {
        const exchange = await owner.must('get-attachments')
        const file = fileOf(exchange, pathId)
        const isRight = canonical(file?.message_ids) === canonical(wanted) && !('messages' in (file ?? {}))
        t.that(requirement, exchange, isRight, `\`message_ids\` of "${pathId}" is [${wanted}], and no \`messages\``)
      }
      const [first, second] = [await link(owner), await link(other)]
      await references('ATTACH-6', [first, second])
      const kept = await unlink(owner, first)
      t.that('MSG-EDIT-53', kept, isEmpty(kept), '`detached_uploads` is empty: another message links to the file')
      await references('ATTACH-7', [second])
      const foreign = await unlink(other, second)
      t.that('MSG-EDIT-54', foreign, isEmpty(foreign), '`detached_uploads` is empty: the file is somebody else’s')
      await references('ATTACH-7', [])
      const usedId = await upload(owner)
      const used = `[used](/user_uploads/${usedId})`
      await post(owner, channel, topic, used)
      for (const move of [{}, { topic: t.unique('moved') }]) {
        const detached = await unlink(owner, await link(owner, used), move)
        const [file, ...more] = detached.body.detached_uploads ?? []
        const isOne = file?.path_id === pathId && more.length === 0
        t.that('MSG-EDIT-52', detached, isOne, `\`detached_uploads\` has the file "${pathId}" and no other`)
      }
      const listed = await owner.must('get-attachments')
      for (const id of [pathId, usedId])
        await owner.call('delete-attachment', { attachment_id: fileOf(listed, id)?.id })
    },
  },
  effectNamed(
    'effects/get-attachments/room',
    'the upload quota counts the files of all users, until they are deleted',
    async (_, shows, { user, other }) => {
      await user.must('upload-file', { file: 'x'.repeat(largeSize) })
      const own = await user.must('get-attachments')
      const others = await other.must('get-attachments')
      const sizeOf = ({ attachments }: Json): number =>
        attachments.reduce((sum: number, { size }: Json) => sum + size, 0)
      const both = sizeOf(own.body) + sizeOf(others.body)
      const used: number = others.body.upload_space_used
      shows(others, used >= both, `\`upload_space_used\` is at least ${both}, the size of the files of two users`)
      const file = own.body.attachments.at(-1)
      shows(own, file?.size === largeSize, `the newest file, of ${largeSize} bytes, comes last`)
      await user.must('delete-attachment', { attachment_id: file?.id })
      const after = await user.must('get-attachments')
      const isFree = after.body.upload_space_used < used - largeSize / 2
      shows(after, isFree, `\`upload_space_used\` is ${largeSize} less than ${used}, or little more than that`)
    },
  ),
  effectNamed(
    'effects/get-uploaded-file/withdrawn',
    'a person can no longer read a file once the message that showed it to them is deleted',
    async (t, shows, { user, other, channel, topic }) => {
      const path = await uploadedPath(user, 'For as long as it is there.')
      const message_id = await post(user, channel, topic, `[it](${path})`)
      succeeds(shows, await other.send({ method: 'GET', path }), `user ${other.userId} has message ${message_id}`)
      await t.person('administrator').must('delete-message', { message_id })
      const after = await other.send({ method: 'GET', path })
      shows(after, after.status >= 400, `no file: message ${message_id}, the only one that had it, is deleted`)
    },
  ),
  effectNamed('effects/get-uploaded-file/range', 'a range of a file can be requested', async (t, shows, { user }) => {
    const path = await uploadedPath(user, 'abcdefghij')
    const whole = await user.send({ method: 'GET', path })
    if (whole.headers.get('accept-ranges') !== 'bytes') t.leaveOut('this server does not offer ranges of files')
    for (const [range, part, told] of [
      ['bytes=2-4', 'cde', 'bytes 2-4/10'],
      ['bytes=7-', 'hij', 'bytes 7-9/10'],
      ['bytes=-2', 'ij', 'bytes 8-9/10'],
    ] as const) {
      const exchange = await user.send({ method: 'GET', path, range })
      const isPart = exchange.status === 206 && exchange.text === part
      shows(exchange, isPart, `HTTP 206 and "${part}", for the range ${range}`)
      shows(exchange, exchange.headers.get('content-range') === told, `Content-Range: ${told}`)
    }
  }),
  effect(
    ['get-thumbnail', 'get-thumbnail-status'],
    'a linked image is shown as a thumbnail, which only readers of the message can fetch',
    async (t, shows, { user, other }) => {
      const registered = await described(user, ['realm'])
      if (registered.body.realm_inline_image_preview === false)
        t.leaveOut('this organization shows no images in messages')
      const formats = registered.body.server_thumbnail_formats ?? []
      const still = formats.find((one: { animated: boolean }) => !one.animated)
      shows(registered, still !== undefined, '`server_thumbnail_formats` has one that is not animated')
      const text = await newFile(user)
      const none = await user.must('get-thumbnail-status', text)
      shows(none, none.body.has_thumbnail === false, '`has_thumbnail` is false: a text has none')
      const place = await newFile(user, pictureOf(2))
      const { id, html, event, exchange } = await showImage(user, place)
      const address = `/user_uploads/thumbnail/${place.realm_id_str}/${place.filename}/${still?.name}`
      const isShown = html?.includes('<div class="message_inline_image">') && html.includes(`src="${address}"`)
      shows(exchange, isShown === true, `message ${id} shows ${address}`)
      const facts = 'data-original-dimensions="1x1"'
      shows(exchange, html?.includes(facts) === true, `message ${id} has ${facts}`)
      if (event) {
        const isOurs = event.user_id === null && event.message_ids?.join() === String(id)
        shows(exchange, isOurs, `an event by nobody (\`user_id\` null) about message ${id} alone`)
      }
      const stored = await fetched(user, id)
      shows(stored, stored.body.message.content === html, `message ${id} has the HTML that was told`)
      shows(stored, stored.body.message.last_edit_timestamp === undefined, `message ${id} was not edited`)
      const status = await user.must('get-thumbnail-status', place)
      shows(status, status.body.has_thumbnail === true, '`has_thumbnail` is true: the message shows it')
      const thumbnail = await user.send({ method: 'GET', path: address })
      shows(thumbnail, thumbnail.status === 200 && thumbnail.text.startsWith('RIFF'), `a picture at ${address}`)
      const foreign = await other.send({ method: 'GET', path: address })
      shows(foreign, foreign.status >= 400, `no picture: user ${other.userId} reads no message that has the image`)
      const asked = await other.call('get-thumbnail-status', place)
      shows(asked, asked.status >= 400, `no status: user ${other.userId} reads no message that has the image`)
    },
  ),
]

/** @returns the `path_id` of a new file */
async function upload(owner: Account): Promise<string> {
  return (await uploadedPath(owner, text)).replace('/user_uploads/', '')
}

function fileOf({ body }: Exchange, pathId: string): Readonly<Record<string, unknown>> | undefined {
  return body.attachments.find((file: Readonly<Record<string, unknown>>) => file.path_id === pathId)
}

/** Reads the file through a temporary link. */
async function servedAt({ deployment }: CheckContext, user: Account, pathId: string): Promise<Exchange> {
  const { body } = await user.must('get-temporary-link', placeAt(`/user_uploads/${pathId}`))
  return deployment.send({ method: 'GET', path: String(body.url) })
}

function isEmpty({ body }: Exchange): boolean {
  return Array.isArray(body.detached_uploads) && body.detached_uploads.length === 0
}

import type { Account } from '../deployment/account.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isNow, needEditing, organizationOf, post } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'

const base = { area: 'Group-setting value, topic entry, attachment', profile: 'core' } as const
const operations = ['upload-file', 'get-attachments', 'delete-attachment'] as const
/** More bytes than characters. */
const text = 'Ein Boot heißt „Möwe“. 😀\n'

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'attachments/record',
    title: 'an uploaded file is listed, and served where the list says',
    requirements: ids('ATTACH', [1, 2, 3, 4, 5]),
    operations: [...operations, 'get-temporary-link'],
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
      const isServed = served.text === text || served.headers.has('location') // a store that the suite cannot ask
      t.that('ATTACH-3', served, isServed, 'the file that was uploaded')
      await user.call('delete-attachment', { attachment_id: file.id })
    },
  },
  {
    ...base,
    id: 'attachments/references',
    title: 'a file knows the messages that link to it',
    requirements: [...ids('ATTACH', [6, 7]), ...ids('MSG-EDIT', [52, 53, 54])],
    operations: [...operations, 'subscribe', 'send-message', 'register-queue', 'update-message'],
    async run(t) {
      const { user: owner, other, channel } = await t.scene()
      needEditing(t, await organizationOf(owner))
      const pathId = await upload(owner)
      const topic = t.unique('attachments')
      const link = (author: Account): Promise<number> =>
        post(author, channel, topic, `[conformance.txt](/user_uploads/${pathId})`)
      const unlink = (author: Account, id: number): Promise<Exchange> =>
        author.must('update-message', { message_id: id, content: 'No file any more.' })
      const references = async (requirement: string, wanted: readonly number[]): Promise<void> => {
        const exchange = await owner.must('get-attachments')
        const file = fileOf(exchange, pathId)
        const isRight = JSON.stringify(file?.message_ids) === JSON.stringify(wanted) && !('messages' in (file ?? {}))
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
      const detached = await unlink(owner, await link(owner))
      const [file, ...more] = detached.body.detached_uploads ?? []
      const isOne = file?.path_id === pathId && more.length === 0
      t.that('MSG-EDIT-52', detached, isOne, `\`detached_uploads\` has the file "${pathId}" and no other`)
      const listed = fileOf(await owner.must('get-attachments'), pathId)
      await owner.call('delete-attachment', { attachment_id: listed?.id })
    },
  },
]

/** @returns the `path_id` of a new file */
async function upload(owner: Account): Promise<string> {
  const { body } = await owner.must('upload-file', { file: text })
  return String(body.url ?? body.uri).replace('/user_uploads/', '')
}

function fileOf({ body }: Exchange, pathId: string): Readonly<Record<string, unknown>> | undefined {
  return body.attachments.find((file: Readonly<Record<string, unknown>>) => file.path_id === pathId)
}

/** The answer from the address of a file, read with a temporary link. */
async function servedAt({ deployment }: CheckContext, user: Account, pathId: string): Promise<Exchange> {
  const [realm, ...filename] = pathId.split('/')
  const { body } = await user.must('get-temporary-link', { realm_id_str: realm, filename: filename.join('/') })
  return deployment.send({ method: 'GET', path: String(body.url) })
}

function isEmpty({ body }: Exchange): boolean {
  return Array.isArray(body.detached_uploads) && body.detached_uploads.length === 0
}

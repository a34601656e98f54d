import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { post } from '../../kernel/messaging.ts'
import type { Json } from '../../wire/values.ts'

/** Size of a file beside which the files of other checks do not matter. */
const largeSize = 1_000_000

export const checks: readonly Check[] = [
  effectNamed(
    'effects/get-attachments/room',
    'a file takes room as long as it is there, whoever has uploaded it',
    ['get-attachments', 'upload-file', 'delete-attachment'],
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
    'whoever has read a file can no longer read it once its message is deleted',
    ['get-uploaded-file', 'upload-file', 'send-message', 'delete-message'],
    async (t, shows, { user, other, channel, topic }) => {
      const uploaded = await user.must('upload-file', { file: 'For as long as it is there.' })
      const path = String(uploaded.body.url ?? uploaded.body.uri)
      const message_id = await post(user, channel, topic, `[it](${path})`)
      const before = await other.send({ method: 'GET', path })
      shows(before, before.status === 200, `the file of message ${message_id}`)
      await t.person('administrator').must('delete-message', { message_id })
      const after = await other.send({ method: 'GET', path })
      shows(after, after.status >= 400, `no file: message ${message_id}, the only one that had it, is deleted`)
    },
  ),
  effectNamed(
    'effects/get-uploaded-file/range',
    'a part of a file can be read',
    ['get-uploaded-file', 'upload-file'],
    async (t, shows, { user }) => {
      const uploaded = await user.must('upload-file', { file: 'abcdefghij' })
      const path = String(uploaded.body.url ?? uploaded.body.uri)
      const whole = await user.send({ method: 'GET', path })
      if (whole.headers.get('accept-ranges') !== 'bytes') t.leaveOut('files are read as a whole here')
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
    },
  ),
]

import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, hearsNothing, listen } from '../../kernel/listening.ts'
import { fetched, needEditing, organizationOf, post, postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, isSetOf, type Json, listOf, objectsIn } from '../../wire/values.ts'
import { stateFor } from './hearing.ts'

const queues = ['register-queue', 'get-events', 'send-message'] as const

interface Emoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly isExtra?: boolean
}

/** One of each kind that needs no upload. Which names there are besides the first one, each server decides. */
const emoji: readonly Emoji[] = [
  { emoji_name: 'octopus', emoji_code: '1f419' },
  { emoji_name: 'umbrella', emoji_code: '2602' },
  { emoji_name: 'heart_on_fire', emoji_code: '2764-200d-1f525' },
  { emoji_name: 'zulip', emoji_code: 'zulip', isExtra: true },
]
const extraTypes = ['service_extra_emoji', 'zulip_extra_emoji']

/** Things with all of their fields, in every place where they appear. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/add-reaction/kinds',
    'emoji of each kind are told with name, code and namespace, wherever a reaction or a status shows',
    [
      ...['add-reaction', 'remove-reaction', 'get-message', 'get-messages', 'update-own-status', 'get-user-status'],
      ...queues,
    ],
    async (_, shows, { user, other, channel, topic }) => {
      const message_id = await post(user, channel, topic, 'In each kind, please.')
      const queue = await listen(other, ['reaction', 'user_status'])
      for (const one of emoji) {
        const { emoji_name } = one
        const added = await user.call('add-reaction', { message_id, emoji_name })
        if (one !== emoji[0] && isRefused(added)) continue
        if (!shows(added, added.status === 200, `success: "${emoji_name}" is an emoji`)) return
        const range = { anchor: message_id, num_before: 0, num_after: 0 }
        const [alone, list] = [await fetched(other, message_id), await other.must('get-messages', range)]
        const told = await eventOf(shows, queue, { type: 'reaction', op: 'add', message_id })
        await user.must('remove-reaction', { message_id, emoji_name })
        const gone = await eventOf(shows, queue, { type: 'reaction', op: 'remove', message_id })
        await user.must('update-own-status', { emoji_name })
        const said = await eventOf(shows, queue, { type: 'user_status', user_id: user.userId, emoji_name })
        if (told === undefined || gone === undefined || said === undefined) return
        const status = await other.must('get-user-status', { user_id: user.userId })
        const state = await stateFor(other, { event_types: ['user_status'] })
        const places: readonly (readonly [Exchange, Json])[] = [
          [alone, alone.body.message.reactions[0]],
          [list, list.body.messages[0]?.reactions[0]],
          [told.exchange, told.event],
          [gone.exchange, gone.event],
          [said.exchange, said.event],
          [status, status.body.status],
          [state, state.body.user_status?.[user.userId]],
        ]
        for (const [exchange, has] of places) {
          const type = one.isExtra ? extraTypes : ['unicode_emoji']
          const is =
            has?.emoji_name === emoji_name && has.emoji_code === one.emoji_code && type.includes(has.reaction_type)
          shows(exchange, is, `"${emoji_name}", with the code ${one.emoji_code} of ${type[0]}`)
        }
        await user.must('update-own-status', { emoji_name: '' })
      }
    },
    'events',
  ),
  {
    ...effectNamed(
      'effects/upload-file/places',
      'a file is the same in its list, in events and where an edit lets it go, and knows its messages',
      ['upload-file', 'get-attachments', 'update-message', 'delete-message', 'delete-attachment', ...queues],
      async (t, shows, { user, other, channel, topic }) => {
        needEditing(t, await organizationOf(user))
        const [queue, foreign] = [await listen(user, ['attachment']), await listen(other, ['attachment', 'message'])]
        const { body } = await user.must('upload-file', { file: 'Ein Möwenboot.' })
        const path = String(body.url ?? body.uri)
        const ofOurs = (one: Json): boolean => path.endsWith(one?.path_id)
        let known: Json
        /** The same file everywhere, used by these messages. */
        const isFile = (exchange: Exchange, file: Json, ids: readonly number[], where: string): void => {
          if (!shows(exchange, file !== undefined, `the file ${path} ${where}`)) return
          known ??= file
          for (const field of ['id', 'name', 'path_id', 'size', 'create_time']) {
            const says = `\`${field}\` is ${JSON.stringify(known[field])} ${where}, as it was told first`
            shows(exchange, file[field] === known[field], says)
          }
          const has = listOf(file.message_ids ?? objectsIn(file.messages).map(({ id }) => id))
          shows(exchange, isSetOf(has, ids), `messages [${ids}] ${where}; but there are [${has}]`)
        }
        const isListed = async (ids: readonly number[], step: string): Promise<void> => {
          const list = await user.must('get-attachments')
          isFile(list, listOf(list.body.attachments).find(ofOurs), ids, `in the list, ${step}`)
        }
        const isTold = async (op: string, ids: readonly number[], step: string): Promise<void> => {
          const wanted = (event: Json): boolean => event.op === op && ofOurs(event.attachment)
          const told = await eventOf(shows, queue, wanted, `that ${path} has op ${op}, ${step}`)
          if (told !== undefined) isFile(told.exchange, told.event.attachment, ids, `in an event, ${step}`)
        }
        await isTold('add', [], 'uploaded')
        await isListed([], 'uploaded')
        const link = `[it](${path})`
        const ids = [await post(user, channel, topic, link), await postTo(user, [other], link)]
        await isTold('update', ids.slice(0, 1), 'after one message')
        await isTold('update', ids, 'after two messages')
        await isListed(ids, 'after two messages')
        const answer = await user.call('update-message', { message_id: ids[0], content: 'Nothing any more.' })
        if (answer.status !== 200) t.leaveOut(`messages cannot be edited here: ${answer.body?.msg}`)
        await isListed(ids.slice(1), 'after an edit')
        const free = await user.must('update-message', { message_id: ids[1], content: 'Nothing any more.' })
        if (t.level >= 285) isFile(free, listOf(free.body.detached_uploads).find(ofOurs), [], 'in `detached_uploads`')
        await isListed([], 'after two edits')
        const again = await postTo(user, [other], link)
        await isListed([again], 'after a third message')
        const deleted = await user.call('delete-message', { message_id: again })
        if (deleted.status === 200) await isListed([], 'after the end of the third message')
        const last = await postTo(user, [other], link)
        const others = await other.must('get-attachments')
        shows(others, !listOf(others.body.attachments).some(ofOurs), `no file of user ${user.userId}`)
        const refused = await other.call('delete-attachment', { attachment_id: known?.id })
        shows(refused, isRefused(refused), `a refusal: the file is not user ${other.userId}’s`)
        await user.must('delete-attachment', { attachment_id: known?.id })
        await eventOf(shows, queue, { type: 'attachment', op: 'remove', attachment: { id: known?.id } })
        const after = await user.must('get-attachments')
        shows(after, !listOf(after.body.attachments).some(ofOurs), 'no file that was deleted')
        const kept = await fetched(other, last)
        shows(kept, kept.body.message.content.includes(path), `message ${last} still refers to the file that is gone`)
        await hearsNothing(shows, foreign, user, other, 'attachment')
      },
      'events',
    ),
    also: ['get-attachments', 'delete-attachment'],
  },
]

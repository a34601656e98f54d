import { uploadedPath } from '../../acts/attachments.ts'
import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, hearsNothing, listen } from '../../kernel/listening.ts'
import { fetched, fetchedInList, messageOf, needEditing, organizationOf, post, postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { canonical, isRefused, isSetOf, type Json, listOf, objectsIn } from '../../wire/values.ts'
import { refuses, succeeds } from '../outcomes.ts'
import { ownOf } from '../subscriptions.ts'

interface Emoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly isExtra?: boolean
}
/** One emoji of each kind that needs no upload. Each server chooses the names besides the first one. */
const emoji: readonly Emoji[] = [
  { emoji_name: 'octopus', emoji_code: '1f419' },
  { emoji_name: 'umbrella', emoji_code: '2602' },
  { emoji_name: 'heart_on_fire', emoji_code: '2764-200d-1f525' },
  { emoji_name: 'zulip', emoji_code: 'zulip', isExtra: true },
]
const extraTypes = ['service_extra_emoji', 'zulip_extra_emoji']

export const checks: readonly Check[] = [
  effect(
    'send-message',
    'the event of a message has the sending client’s local ID, on each way to send it',
    async (t, shows, { user, other, channel, topic }) => {
      const [own, second, foreign] = await Promise.all([
        listen(user, ['message']),
        listen(user, ['message']),
        listen(other, ['message']),
      ])
      const places = [
        { type: 'stream', to: channel.id, topic },
        { type: 'direct', to: [other.userId] },
      ]
      for (const place of places) {
        const local_id = t.unique('local').replaceAll(' ', '.')
        const { body } = await user.must('send-message', { ...place, content: 'An echo.', queue_id: own.id, local_id })
        for (const [queue, wanted] of [
          [own, local_id],
          [second, undefined],
          [foreign, undefined],
        ] as const) {
          const told = await eventOf(shows, queue, { type: 'message', message: { id: body.id } })
          if (told === undefined) return
          const says = `\`local_message_id\` is ${wanted ?? 'absent: another client sent it'}, for ${JSON.stringify(place)}`
          shows(told.exchange, told.event.local_message_id === wanted, says)
        }
      }
    },
  ),
  effectNamed(
    'effects/update-message-flags/details',
    'an event about messages that became unread has their channel and topic',
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      const mention = `@**${other.fullName}|${other.userId}** look`
      const places: readonly (readonly [number, Values])[] = [
        [await post(user, channel, topic, 'Unread.'), { type: 'stream', stream_id: channel.id, topic }],
        [await post(user, channel, topic, mention), { type: 'stream', stream_id: channel.id, topic, mentioned: true }],
        [await postTo(user, [other], 'Unread.'), { type: 'private', user_ids: [user.userId] }],
        [
          await postTo(user, [other, third], 'Unread.'),
          { type: 'private', user_ids: [user.userId, third.userId].toSorted((one, two) => one - two) },
        ],
      ]
      const messages = places.map(([id]) => id)
      await other.must('update-message-flags', { messages, op: 'add', flag: 'read' })
      const queue = await listen(other, ['update_message_flags'])
      for (const [id, wanted] of places) {
        await other.must('update-message-flags', { messages: [id], op: 'remove', flag: 'read' })
        const told = await eventOf(shows, queue, { type: 'update_message_flags', op: 'remove', messages: [id] })
        if (told === undefined) return
        const fields = ['type', 'user_ids', 'stream_id', 'topic', 'mentioned']
        const details: Json = told.event.message_details?.[id] ?? {}
        const [found, says] = [details, wanted].map((one) => canonical(JSON.parse(JSON.stringify(one, fields))))
        shows(told.exchange, found === says, `\`message_details\` of ${id} are ${says}; but ${found}`)
      }
    },
  ),
  effect(
    'subscribe',
    'the answer lists new and existing subscriptions of each person',
    async (t, shows, { user, other }) => {
      const third = await t.user()
      const [channel, second] = [await t.channel(user, [other]), await t.channel(user)]
      const color = '#123abc'
      const subscriptions = [{ name: channel.name }, { name: second.name, color }]
      const exchange = await other.must('subscribe', { subscriptions, principals: [other.userId, third.userId] })
      const { subscribed, already_subscribed: already } = exchange.body
      const namesOf = (map: Json, person: Account): string => listOf(map?.[person.userId]).toSorted().join()
      const both = [channel.name, second.name].toSorted().join()
      shows(exchange, namesOf(subscribed, third) === both, `\`subscribed\` has "${both}" for user ${third.userId}`)
      const words = `\`subscribed\` has "${second.name}" for user ${other.userId}`
      shows(exchange, namesOf(subscribed, other) === second.name, words)
      const says = `\`already_subscribed\` has "${channel.name}" for user ${other.userId}`
      shows(exchange, namesOf(already, other) === channel.name, says)
      if (!t.isParley) return // only Parley documents colours
      const own = await other.must('get-subscriptions')
      shows(own, ownOf(own, second)?.color === color, `\`color\` of channel ${second.id} is ${color}`)
    },
  ),
  effect(
    'upload-file',
    'a file keeps its name, and is displayed inline only if that is safe',
    async (_, shows, { user }) => {
      const names = [
        ['plan (2) für München.txt', false],
        ['page.html', true],
        ['drawing.svg', true],
      ] as const
      for (const [fileName, isSaved] of names) {
        const content = fileName.endsWith('.txt')
          ? 'words'
          : '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
        const uploaded = await user.send({
          method: 'POST',
          path: '/api/v1/user_uploads',
          file: { name: 'file', fileName, content },
        })
        if (!shows(uploaded, uploaded.status === 200, 'success')) return
        const { filename, url, uri } = uploaded.body
        if (filename !== undefined) shows(uploaded, filename === fileName, `\`filename\` is "${fileName}"`)
        const listed = await user.must('get-attachments')
        const path = String(url ?? uri)
        const found = listed.body.attachments.find(({ path_id: id }: Json) => path.endsWith(id))
        shows(listed, found?.name === fileName, `a file with \`name\` "${fileName}"`)
        if (!isSaved) continue
        const file = await user.send({ method: 'GET', path })
        const disposition = file.headers.get('content-disposition') ?? ''
        const type = file.headers.get('content-type') ?? ''
        const isSafe = /^attachment/i.test(disposition) || /^(text\/plain|application\/octet-stream)/i.test(type)
        shows(file, isSafe, 'Content-Disposition: attachment, because a browser would run it')
      }
    },
  ),
  effectNamed(
    'effects/add-reaction/kinds',
    'an emoji of each kind has its name, code and type wherever a reaction or status shows it',
    async (_, shows, { user, other, channel, topic }) => {
      const message_id = await post(user, channel, topic, 'In each kind, please.')
      const queue = await listen(other, ['reaction', 'user_status'])
      await user.must('update-own-status', { status_text: 'As ever.' })
      for (const one of emoji) {
        const { emoji_name } = one
        const added = await user.call('add-reaction', { message_id, emoji_name })
        if (one !== emoji[0] && isRefused(added)) continue
        if (!succeeds(shows, added, `"${emoji_name}" is an emoji`)) return
        const [alone, list] = [await fetched(other, message_id), await fetchedInList(other, message_id)]
        const told = await eventOf(shows, queue, { type: 'reaction', op: 'add', message_id })
        await user.must('remove-reaction', { message_id, emoji_name })
        const gone = await eventOf(shows, queue, { type: 'reaction', op: 'remove', message_id })
        await user.must('update-own-status', { emoji_name })
        const said = await eventOf(shows, queue, { type: 'user_status', user_id: user.userId, emoji_name })
        if (told === undefined || gone === undefined || said === undefined) return
        shows(said.exchange, !('status_text' in said.event), 'no `status_text`: the text has not changed')
        const status = await other.must('get-user-status', { user_id: user.userId })
        const state = await other.must('register-queue', { event_types: ['user_status'] })
        const places: readonly (readonly [Exchange, Json])[] = [
          ...[alone, list].map((exchange) => [exchange, listOf(messageOf(exchange).reactions)[0]] as const),
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
      await user.must('update-own-status', { status_text: '' })
    },
  ),
  {
    ...effectNamed(
      'effects/upload-file/places',
      'a file is the same in lists and events, even after an edit removes its link, and lists its messages',
      async (t, shows, { user, other, channel, topic }) => {
        needEditing(t, await organizationOf(user))
        const [queue, foreign] = [await listen(user, ['attachment']), await listen(other, ['attachment', 'message'])]
        const path = await uploadedPath(user, 'Ein Möwenboot.')
        const ofOurs = (one: Json): boolean => path.endsWith(one?.path_id)
        let known: Json
        /** Checks that a place shows the same file, used by these messages. */
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
        await isTold('update', ids.slice(1), 'after an edit')
        await isListed(ids.slice(1), 'after an edit')
        const free = await user.must('update-message', { message_id: ids[1], content: 'Nothing any more.' })
        if (t.level >= 285) isFile(free, listOf(free.body.detached_uploads).find(ofOurs), [], 'in `detached_uploads`')
        await isListed([], 'after two edits')
        const again = await postTo(user, [other], link)
        await isListed([again], 'after a third message')
        const deleted = await user.call('delete-message', { message_id: again })
        if (deleted.status === 200) await isListed([], 'after the end of the third message')
        else await user.must('update-message', { message_id: again, content: 'Nothing any more.' })
        const whole = { stream_id: channel.id, topic_name: t.unique('linked') }
        const inTopic = () => post(user, channel, whole.topic_name, link)
        await isListed([await inTopic(), await inTopic()], 'after two more messages')
        await t.person('administrator').must('delete-topic', whole)
        await isListed([], 'after the end of their topic')
        const last = await postTo(user, [other], link)
        const others = await other.must('get-attachments')
        shows(others, !listOf(others.body.attachments).some(ofOurs), `no file of user ${user.userId}`)
        const refused = await other.call('delete-attachment', { attachment_id: known?.id })
        refuses(shows, refused, `the file is not user ${other.userId}’s`)
        await user.must('delete-attachment', { attachment_id: known?.id })
        await eventOf(shows, queue, { type: 'attachment', op: 'remove', attachment: { id: known?.id } })
        const after = await user.must('get-attachments')
        shows(after, !listOf(after.body.attachments).some(ofOurs), 'no file that was deleted')
        const kept = await fetched(other, last)
        shows(kept, kept.body.message.content.includes(path), `message ${last} still refers to the file that is gone`)
        await hearsNothing(shows, foreign, user, other)
      },
    ),
    also: ['get-attachments', 'delete-attachment'],
  },
]

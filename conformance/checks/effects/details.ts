import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { post, postTo } from '../../kernel/messaging.ts'
import type { Json } from '../../wire/values.ts'
import { ownOf } from '../subscriptions.ts'

const queues = ['register-queue', 'get-events'] as const

/** Further fields of answers and events. */
export const checks: readonly Check[] = [
  effect(
    'send-message',
    'the client that sent a message finds its own name for it in its own event, wherever it was sent',
    queues,
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
    'events',
  ),
  effectNamed(
    'effects/update-message-flags/details',
    'what became unread is told with the place where it is',
    ['update-message-flags', ...queues, 'send-message'],
    async (t, shows, { user, other, channel, topic }) => {
      if (t.level < 121) t.leaveOut('before level 121 events say nothing about the messages')
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
        const details: Json = told.event.message_details?.[id] ?? {}
        const { type, user_ids, stream_id, topic: named, mentioned } = details
        const found = JSON.stringify({ type, user_ids, stream_id, topic: named, mentioned })
        const says = JSON.stringify({
          type: wanted.type,
          user_ids: wanted.user_ids,
          stream_id: wanted.stream_id,
          topic: wanted.topic,
          mentioned: wanted.mentioned,
        })
        shows(told.exchange, found === says, `\`message_details\` of ${id} are ${says}; but ${found}`)
      }
    },
    'events',
  ),
  effect(
    'subscribe',
    'the answer says who follows what newly, and who did already',
    ['get-subscriptions'],
    async (t, shows, { user, other }) => {
      const third = await t.user()
      const [channel, second] = [await t.channel(user, [other]), await t.channel(user)]
      const color = '#123abc'
      const subscriptions = [{ name: channel.name }, { name: second.name, color }]
      const exchange = await other.must('subscribe', { subscriptions, principals: [other.userId, third.userId] })
      const { subscribed, already_subscribed: already } = exchange.body
      const keysOf = (person: Account): string[] =>
        t.level >= 257 ? [String(person.userId)] : [person.email, String(person.userId)]
      const namesOf = (map: Json, person: Account): string =>
        keysOf(person)
          .flatMap((key) => map?.[key] ?? [])
          .toSorted()
          .join()
      const both = [channel.name, second.name].toSorted().join()
      shows(exchange, namesOf(subscribed, third) === both, `\`subscribed\` has "${both}" for user ${third.userId}`)
      const words = `\`subscribed\` has "${second.name}" for user ${other.userId}`
      shows(exchange, namesOf(subscribed, other) === second.name, words)
      const says = `\`already_subscribed\` has "${channel.name}" for user ${other.userId}`
      shows(exchange, namesOf(already, other) === channel.name, says)
      if (!t.isParley) return // which alone documents colours
      const own = await other.must('get-subscriptions')
      shows(own, ownOf(own, second)?.color === color, `\`color\` of channel ${second.id} is ${color}`)
    },
  ),
  effect(
    'upload-file',
    'a file keeps its name, and is shown in place only where that is safe',
    ['get-attachments'],
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
]

import type { Account, Values } from '../../deployment/account.ts'
import type { Event } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { post, postTo } from '../../kernel/messaging.ts'
import { isSetOf, type Json } from '../../wire/values.ts'

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
  effectNamed(
    'effects/delete-message/places',
    'everybody who has a message is told that it was deleted',
    ['delete-message', ...queues, 'send-message'],
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      const ids = [
        await post(user, channel, topic, 'Go.'),
        await postTo(user, [other], 'Go.'),
        await postTo(user, [other, third], 'Go.'),
      ]
      const queue = await listen(other, ['delete_message'])
      for (const message_id of ids) {
        const answer = await user.call('delete-message', { message_id })
        if (answer.status !== 200) t.leaveOut(`people may not delete their messages here: ${answer.body?.msg}`)
        const told = await eventOf(
          shows,
          queue,
          ({ type, message_ids = [], message_id: one }) =>
            type === 'delete_message' && [...message_ids, one].includes(message_id),
          `that message ${message_id} was deleted`,
        )
        if (told === undefined) return
        const { stream_id: there, topic: named, message_type: type } = told.event
        const isPlaced = message_id === ids[0] ? there === channel.id && named === topic : there === undefined && !named
        shows(told.exchange, isPlaced, `channel ${channel.id} > "${topic}" for the first message, no place for others`)
        const kind = message_id === ids[0] ? 'stream' : 'private'
        shows(told.exchange, type === kind, `\`message_type\` is "${kind}"`)
      }
    },
    'events',
  ),
  effectNamed(
    'effects/reactions/places',
    'everybody who has a message is told of reactions to it',
    ['add-reaction', 'remove-reaction', ...queues, 'send-message'],
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      const ids = [
        await post(user, channel, topic, 'React.'),
        await postTo(user, [other], 'React.'),
        await postTo(other, [user, third], 'React.'),
      ]
      const queue = await listen(other, ['reaction'])
      for (const message_id of ids) {
        for (const op of ['add', 'remove']) {
          await user.must(`${op}-reaction`, { message_id, emoji_name: 'octopus' })
          const told = await eventOf(shows, queue, {
            type: 'reaction',
            op,
            message_id,
            user_id: user.userId,
            ...{ emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' },
          })
          if (told === undefined) return
        }
      }
    },
    'events',
  ),
  effectNamed(
    'effects/get-users/user_ids',
    'users are asked for by their ids, deactivated ones too',
    ['get-users', 'create-user', 'deactivate-user'],
    async (t, shows, { user, other }) => {
      if (t.level < 384) t.leaveOut('before level 384 users cannot be asked for by their ids')
      const gone = await t.newUser()
      await t.person('administrator').must('deactivate-user', { user_id_or_email: gone.userId })
      const ids = [other.userId, gone.userId]
      const exchange = await user.must('get-users', { user_ids: ids })
      const found = exchange.body.members.map(({ user_id: id }: Json) => id)
      shows(exchange, isSetOf(found, ids), `users ${ids.join(' and ')}, and nobody else`)
      const all = await user.must('get-users')
      const listed = all.body.members.map(({ user_id: id }: Json) => id)
      const says = `users ${ids.join(' and ')} among all`
      const isRight = ids.every((id) => listed.includes(id))
      shows(all, isRight, says)
    },
    'admin',
  ),
  effect(
    'subscribe',
    'the answer says who follows what newly, and who did already',
    ['get-subscriptions'],
    async (t, shows, { user, other }) => {
      const third = await t.user()
      const [channel, second] = [await t.channel(user, [other]), await t.channel(user)]
      const subscriptions = [{ name: channel.name }, { name: second.name }]
      const exchange = await user.must('subscribe', { subscriptions, principals: [other.userId, third.userId] })
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
    },
  ),
  effectNamed(
    'effects/unsubscribe/people',
    'everybody is told of all who were taken out',
    ['unsubscribe', ...queues, 'subscribe'],
    async (t, shows) => {
      const admin = t.person('administrator')
      const { user } = await t.scene()
      const people = [await t.user(), await t.user(), await t.user()]
      const channel = await t.channel(user, people)
      const queue = await listen(user, ['subscription'])
      const principals = people.map(({ userId }) => userId)
      await admin.must('unsubscribe', { subscriptions: [channel.name], principals })
      const gone = new Set<number>()
      const isAll = (event: Event): boolean => {
        const isMeant =
          event.type === 'subscription' &&
          event.op === 'peer_remove' &&
          (event.stream_ids ?? [event.stream_id]).includes(channel.id)
        for (const id of isMeant ? event.user_ids : []) gone.add(id)
        return principals.every((id) => gone.has(id))
      }
      await eventOf(shows, queue, isAll, `that users ${principals.join(', ')} left channel ${channel.id}`)
    },
    'admin',
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

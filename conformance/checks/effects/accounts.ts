import { hasDevelopmentLogin } from '../../acts/accounts.ts'
import { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { ofNobody, post, postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect(
    'get-own-user',
    'the own account has the ID of the newest message that the caller received',
    async (_, shows, { user, other, channel, topic }) => {
      for (const text of ['One.', 'Two.']) {
        const id = await post(user, channel, topic, text)
        for (const person of [user, other]) {
          const own = await person.must('get-own-user')
          // Other messages may have arrived meanwhile.
          shows(own, own.body.max_message_id >= id, `\`max_message_id\` is at least ${id}, which has come`)
        }
      }
    },
  ),
  {
    ...effect('get-user', 'a user is returned by ID, and by a visible address', async (t, shows, { user: reader }) => {
      const listed = async (): Promise<readonly Json[]> =>
        (await reader.must('get-users', { client_gravatar: false })).body.members
      const others = (await listed()).filter(({ user_id: id }) => id !== reader.userId)
      const seen = others.findLast(({ delivery_email: address }) => typeof address === 'string')
      for (const other of [others.at(0), others.at(-1), seen].filter((one) => one !== undefined)) {
        const exchange = await reader.must('get-user', { user_id_or_email: String(other.user_id) })
        const { user_id: id, full_name: name } = exchange.body.user
        // Another check may rename the account several times meanwhile.
        const isRenamed = async (): Promise<boolean> =>
          (await listed()).find((one) => one.user_id === other.user_id)?.full_name !== other.full_name
        const isRight = id === other.user_id && (name === other.full_name || (await isRenamed()))
        shows(exchange, isRight, `user ${other.user_id}, ${other.full_name}`)
      }
      if (seen === undefined) return
      const exchange = await reader.call('get-user', { user_id_or_email: seen.delivery_email })
      const isThere = exchange.body?.user?.user_id === seen.user_id
      const says = `\`user\` is user ${seen.user_id}, who has the address ${seen.delivery_email}`
      t.that('REF-5', exchange, isThere, says)
      const nobody = await reader.call('get-user', { user_id_or_email: `none-${seen.user_id}@conformance.invalid` })
      refuses(shows, nobody, 'nobody has the address')
    }),
    conditional: ['REF-5'],
  },
  effect('delete-queue', 'a deleted event queue is gone, and other queues are not', async (t, shows) => {
    const [author, reader] = [await t.user(), await t.user()]
    const channel = await t.channel(author, [reader])
    const open = (): Promise<EventQueue> => EventQueue.open(reader, { event_types: ['message'] })
    const [gone, kept] = [await open(), await open()]
    await gone.close()
    const polled = await reader.call('get-events', { queue_id: gone.id, last_event_id: -1, dont_block: true })
    shows(polled, polled.body?.code === 'BAD_EVENT_QUEUE_ID', '`code` is "BAD_EVENT_QUEUE_ID"')
    refuses(shows, await reader.call('delete-queue', { queue_id: gone.id }), 'the queue is gone already')
    refuses(shows, await author.call('delete-queue', { queue_id: kept.id }), `user ${reader.userId} has the queue`)
    const id = await post(author, channel, 'queues', 'For the queue that is left.')
    await eventOf(shows, kept, { message: { id } }, `of message ${id}, in the queue that is left`)
  }),
  {
    ...effect(
      'register-queue',
      'the initial state has the fields on which other checks rely',
      async (t, shows, { user }) => {
        const exchange = await user.must('register-queue', { event_types: ['message'], fetch_event_types: ['realm'] })
        for (const name of [
          ...['queue_id', 'last_event_id', 'max_message_length', 'max_topic_length'],
          ...['event_queue_longpoll_timeout_seconds', 'realm_move_messages_within_stream_limit_seconds'],
          ...(t.level >= 334 ? ['realm_empty_topic_display_name'] : []),
        ]) {
          t.that('REF-1', exchange, exchange.body[name] !== undefined, `\`${name}\` is there`)
        }
        const settings = await ofNobody(t, 'get-server-settings')
        const { zulip_feature_level: level } = settings.body
        shows(exchange, exchange.body.zulip_feature_level === level, `\`zulip_feature_level\` is ${level}`)
      },
    ),
    requirements: ['register-queue', 'REF-1'],
  },
  effectNamed(
    'effects/get-user/case',
    'email addresses are compared without regard to case, wherever they name people',
    async (t, shows, { user }) => {
      const named = await t.newUser()
      await named.must('update-presence', { status: 'active' })
      const [admin, channel] = [t.person('administrator'), await t.channel(user)]
      const known = await user.must('get-user', { user_id_or_email: named.userId })
      const address: string = known.body.user.email
      const id = await postTo(named, [user], 'Who is it?')
      for (const email of [address.toUpperCase(), `${address[0]?.toUpperCase()}${address.slice(1)}`]) {
        const is = (exchange: Exchange, isRight: boolean, what: string): boolean =>
          shows(exchange, isRight, `${what} user ${named.userId}, by the address ${email}`)
        const login = { username: named.email.toUpperCase(), password: named.password }
        const key = await ofNobody(t, 'fetch-api-key', login)
        is(key, key.body?.api_key === named.login.apiKey, 'the key of')
        const found = await user.call('get-user', { user_id_or_email: email })
        is(found, found.body?.user?.user_id === named.userId, 'the account of')
        const presence = await user.call('get-presence', { user_id_or_email: email })
        is(presence, presence.status === 200, 'the presence of')
        const narrow = [{ operator: 'sender', operand: email }]
        const list = await user.call('get-messages', { anchor: id, num_before: 0, num_after: 5, narrow })
        const ids = listOf(list.body?.messages).map((one: Json) => one.id)
        is(list, isSetOf(ids, [id]), `message ${id} of`)
        const sent = await user.call('send-message', { type: 'private', to: [email], content: 'You.' })
        is(sent, sent.status === 200, 'a message to')
        const added = await user.call('subscribe', { subscriptions: [{ name: channel.name }], principals: [email] })
        is(added, added.status === 200, 'a subscription of')
        const full_name = t.unique('Cased')
        if (t.level < 313) continue
        const renamed = await admin.call('update-user', { user_id_or_email: email, full_name })
        is(renamed, renamed.status === 200, 'another name for')
        const after = await user.must('get-user', { user_id_or_email: named.userId })
        is(after, after.body.user.full_name === full_name, `"${full_name}", the name of`)
      }
    },
  ),
  effect(
    'dev-fetch-api-key',
    'nobody can log in without a password, unless the server says so',
    async (t, shows, { user }) => {
      const isOpen = await hasDevelopmentLogin(t)
      const answer = await user.call('dev-fetch-api-key', { username: user.email })
      const says = `\`authentication_methods\` has \`dev\` ${isOpen}`
      if (isOpen) shows(answer, answer.body?.api_key === user.login.apiKey, `the key of ${user.email}: ${says}`)
      else refuses(shows, answer, says)
    },
  ),
  effect(
    'regenerate-own-api-key',
    'a new API key replaces the old one at once, and the account keeps its event queues',
    async (t, shows) => {
      const user = await t.newUser()
      const queue = await listen(user, ['message'])
      const made = await user.must('regenerate-own-api-key')
      const { api_key: key } = made.body
      shows(made, typeof key === 'string' && key !== user.login.apiKey, '`api_key`, another one')
      const late = await user.call('get-own-user')
      shows(late, isRefused(late) && late.status === 401, '401: the old key is no longer valid')
      const present = user.withKey(String(key))
      const own = await present.call('get-own-user')
      shows(own, own.body?.user_id === user.userId, `user ${user.userId}, with the new key`)
      const content = t.unique('After the key')
      await present.must('send-message', { type: 'direct', to: [user.userId], content })
      const heard = await present.call('get-events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
      shows(heard, heard.body?.events?.length > 0, 'events of the queue that was made with the old key')
    },
  ),
]

import type { Account, Values } from '../../deployment/account.ts'
import { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { isNow, post } from '../../kernel/messaging.ts'
import { isRefused, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { heardSoFar } from './hearing.ts'

const palm = { emoji_name: 'palm_tree', emoji_code: '1f334', reaction_type: 'unicode_emoji' }
const statusFields = ['status_text', 'emoji_name', 'emoji_code', 'reaction_type']

/** What events tell about people and the user's own data, so that a client need not ask. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-own-status/told',
    'a status is told with what has changed, so that it can be followed by events alone',
    ['update-own-status', 'get-user-status', 'register-queue', 'get-events'],
    async (t, shows, { user, other }) => {
      await user.must('update-own-status', { status_text: '', emoji_name: '' })
      const queue = await EventQueue.open(other, { event_types: ['user_status'], fetch_event_types: ['user_status'] })
      const known: Record<string, unknown> = {}
      const text = t.unique('told').slice(-50)
      for (const said of [{ status_text: text }, palm, { status_text: '' }, { emoji_name: '' }] as readonly Values[]) {
        await user.must('update-own-status', said)
        const { event, exchange, lacked } = await queue.until({ type: 'user_status', user_id: user.userId })
        const says = `\`user_status\` of user ${user.userId}, who said ${JSON.stringify(said)}; but ${lacked}`
        if (!shows(exchange, event !== undefined, says)) return
        for (const field of statusFields) if (event?.[field] !== undefined) known[field] = event[field]
        if (known.emoji_name === '') for (const field of statusFields.slice(2)) delete known[field]
        const status: Json = (await other.must('get-user-status', { user_id: user.userId })).body.status
        const odd = statusFields.filter((field) => (known[field] || undefined) !== (status[field] || undefined))
        const right = JSON.stringify(status)
        shows(exchange, odd.length === 0, `what makes the status ${right}; but there is ${JSON.stringify(known)}`)
      }
    },
    'events',
  ),
  effectNamed(
    'effects/update-user-topic/told',
    'a policy for a topic is told to its owner, also in the old form, and to nobody else',
    ['update-user-topic', 'register-queue', 'get-events', 'send-message'],
    async (t, shows, { user, other, channel }) => {
      const topic = t.unique('told').slice(-40)
      const base = { fetch_event_types: [] }
      const queue = await EventQueue.open(user, { ...base, event_types: ['user_topic', 'muted_topics'] })
      const old = await EventQueue.open(user, { ...base, event_types: ['muted_topics'] })
      const foreign = await EventQueue.open(other, { ...base, event_types: ['user_topic', 'muted_topics', 'message'] })
      for (const visibility_policy of [1, 0]) {
        await user.must('update-user-topic', { stream_id: channel.id, topic, visibility_policy })
        const wanted = { type: 'user_topic', stream_id: channel.id, topic_name: topic, visibility_policy }
        const told = await queue.until(wanted)
        if (!shows(told.exchange, told.event !== undefined, `${JSON.stringify(wanted)}; but ${told.lacked}`)) return
        shows(told.exchange, isNow(told.event?.last_updated, told.exchange), '`last_updated` is the present second')
        const { event, exchange, lacked } = await old.until({ type: 'muted_topics' })
        if (!shows(exchange, event !== undefined, `an event of the type muted_topics; but ${lacked}`)) return
        const isThere = listOf(event?.muted_topics).some((one) => one[0] === channel.name && one[1] === topic)
        const says = `"${channel.name}" and "${topic}" ${visibility_policy === 1 ? '' : 'not '}in \`muted_topics\``
        shows(exchange, isThere === (visibility_policy === 1), says)
      }
      const [heard] = (await heardSoFar(shows, [foreign], user, other)) ?? []
      const odd = heard?.events.find(({ type }) => type !== 'message')
      if (heard) shows(heard.exchange, odd === undefined, `nothing of topics of user ${user.userId}`)
    },
    'events',
  ),
  effectNamed(
    'effects/archive-stream/after',
    'an archived channel says that it is and is nobody’s any more, and what was said there stays',
    ['archive-stream', 'get-stream', 'get-subscribers', 'get-message', 'subscribe'],
    async (t, shows, { user, other }) => {
      const [channel, kept] = [await t.channel(user, [other]), await t.channel(user)]
      const message_id = await post(user, channel, 'last', 'Last words.')
      await t.person('administrator').must('archive-stream', { stream_id: channel.id })
      const message = await other.call('get-message', { message_id })
      shows(message, message.status === 200, `message ${message_id}, as before`)
      if (t.level < 440) return
      const channels = await user.must('get-user-channels', { user_id: user.userId })
      const ids: number[] = channels.body.subscribed_channel_ids
      const expected = `channel ${kept.id}, and not ${channel.id}, which is archived`
      shows(channels, ids.includes(kept.id) && !ids.includes(channel.id), expected)
      if (t.level < 480) return
      const stream = await other.call('get-stream', { stream_id: channel.id })
      shows(stream, stream.body?.stream?.is_archived === true, `\`is_archived\` of channel ${channel.id} is true`)
      const members = await other.call('get-subscribers', { stream_id: channel.id })
      shows(members, isSetOf(members.body?.subscribers, [user.userId, other.userId]), 'its subscribers, as before')
    },
    'admin',
  ),
  effectNamed(
    'effects/get-streams/rights',
    'bots find the channels of their owners, and administrators all that are active',
    ['get-streams', 'get-users', 'subscribe'],
    async (t, shows, { user }) => {
      const open = await t.channel(user)
      const none = { include_public: false, include_subscribed: false }
      const holds = async (person: Account, values: Values, isThere: boolean): Promise<void> => {
        const exchange = await person.must('get-streams', { ...none, ...values })
        const has = listOf(exchange.body.streams).some((one: Json) => one.stream_id === open.id)
        const says = `channel ${open.id} ${isThere ? '' : 'not '}there, for ${JSON.stringify(values)}`
        shows(exchange, has === isThere, says)
      }
      await holds(t.person('administrator'), { include_all_active: true }, true)
      const refused = await user.call('get-streams', { include_all_active: true })
      shows(refused, isRefused(refused), `a refusal: user ${user.userId} is not an administrator`)
      const { members } = (await user.must('get-users')).body
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      const owner = listOf(members).find((one: Json) => one.user_id === bot?.userId)?.bot_owner_id
      if (bot === undefined || owner === undefined || owner === null) return
      await holds(bot, { include_owner_subscribed: true }, false)
      await user.must('subscribe', { subscriptions: [{ name: open.name }], principals: [owner] })
      await holds(bot, { include_owner_subscribed: true }, true)
      await holds(bot, {}, false)
    },
    'admin',
  ),
  effectNamed(
    'effects/remove-bot-storage/all',
    'without keys everything that a bot stores is removed',
    ['update-bot-storage', 'get-bot-storage', 'remove-bot-storage', 'create-user'],
    async (t, shows) => {
      const person = await t.newUser() // whose storage no other check needs
      await person.must('update-bot-storage', { storage: { one: '1', two: '2' } })
      await person.must('remove-bot-storage')
      const exchange = await person.must('get-bot-storage')
      shows(exchange, Object.keys(exchange.body.storage).length === 0, 'an empty `storage`')
    },
  ),
]

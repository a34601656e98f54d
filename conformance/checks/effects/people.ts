import type { Account, Values } from '../../deployment/account.ts'
import { channelDescription } from '../../deployment/deployment.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, heardOf, heardSoFar, listen } from '../../kernel/listening.ts'
import { answerWhen, clockOf, isNow, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { canonical, isRefused, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { refuses, succeeds } from '../outcomes.ts'

const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' }
const palm = { emoji_name: 'palm_tree', emoji_code: '1f334', reaction_type: 'unicode_emoji' }

export const checks: readonly Check[] = [
  effect(
    ['update-own-status', 'get-user-status'],
    'a user’s status is what others read',
    async (t, shows, { user, other }) => {
      const text = t.unique('status').slice(-50)
      const both = { ...octopus, status_text: text }
      const steps: readonly (readonly [Values, Values])[] = [
        [{ status_text: text }, { status_text: text }],
        [palm, { status_text: text, ...palm }],
        [{ status_text: '' }, palm],
        [{ status_text: text, emoji_name: '' }, { status_text: text }],
        [{ emoji_name: 'octopus' }, { status_text: text, ...octopus }],
        [{ status_text: '' }, octopus],
        [{ emoji_name: '' }, {}],
        [both, both],
        [palm, { ...palm, status_text: text }],
        [{ status_text: '', emoji_name: '' }, {}],
      ]
      for (const [said, wanted] of steps) {
        await user.must('update-own-status', said)
        await hasStatus(shows, other, user, wanted)
      }
      for (const wrong of [{ emoji_code: 'conformance' }, { reaction_type: 'realm_emoji' }]) {
        const refused = await user.call('update-own-status', { emoji_name: 'octopus', ...wrong })
        refuses(shows, refused, `there is no such emoji as ${JSON.stringify(wrong)}`)
      }
      await hasStatus(shows, other, user, {})
      if (!t.isParley) return // only in Parley is being away part of presence
      for (const away of [true, false]) {
        await user.must('update-own-status', { away })
        const { exchange, status } = await statusOf(other, user)
        shows(exchange, (status.away ?? false) === away, `\`away\` is ${away}, where nothing said is false`)
      }
    },
  ),
  effect(
    ['add-alert-words', 'remove-alert-words', 'get-alert-words'],
    'alert words are added once each, and removed',
    async (t, shows, { user, other }) => {
      const [one, two, more] = [t.unique('tea'), t.unique('coffee'), t.unique('milk')]
      const holds = (exchange: Exchange, wanted: readonly string[], unwanted: readonly string[]): boolean => {
        const words: string[] = exchange.body.alert_words
        const isExact = wanted.every((word) => words.filter((each) => each === word).length === 1)
        const isFree = !unwanted.some((word) => words.includes(word))
        const says = `${wanted.join() || 'none of them'} once each, and not ${unwanted.join() || 'any others of these'}`
        return shows(exchange, isExact && isFree, says)
      }
      holds(await user.must('add-alert-words', { alert_words: [one] }), [one], [two])
      holds(await user.must('add-alert-words', { alert_words: [two, one] }), [one, two], [])
      holds(await user.must('get-alert-words'), [one, two], [])
      holds(await other.must('get-alert-words'), [], [one, two])
      holds(await user.must('remove-alert-words', { alert_words: [one] }), [two], [one])
      holds(await user.must('get-alert-words'), [two], [one])
      // Words compare case-insensitively, and existing ones keep their spelling.
      holds(await user.must('add-alert-words', { alert_words: [two.toUpperCase()] }), [two], [two.toUpperCase()])
      holds(await user.must('add-alert-words', { alert_words: [one, more] }), [one, two, more], [])
      const left = await user.must('remove-alert-words', { alert_words: [two.toUpperCase(), one, more] })
      holds(left, [], [one, two, more])
    },
  ),
  effect(
    ['mute-user', 'unmute-user'],
    'a muted user is in the caller’s list of muted users, and in nobody else’s',
    async (t, shows, { user, other }) => {
      const muted_user_id = (await t.newUser()).userId
      const mutes = async (person: Account, isMuted: boolean): Promise<void> => {
        const exchange = await person.must('register-queue', { event_types: ['muted_users'] })
        const rows: Json[] = exchange.body.muted_users.filter(({ id }: Json) => id === muted_user_id)
        const says = `user ${muted_user_id} ${isMuted ? 'once' : 'not'} among the muted users of user ${person.userId}`
        shows(exchange, rows.length === (isMuted ? 1 : 0), says)
        for (const { timestamp } of rows) {
          shows(exchange, isNow(timestamp, exchange), '`timestamp` is the present second')
        }
      }
      await user.must('mute-user', { muted_user_id })
      await mutes(user, true)
      await mutes(other, false)
      refuses(shows, await user.call('mute-user', { muted_user_id }), `user ${muted_user_id} is muted already`)
      await user.must('unmute-user', { muted_user_id })
      await mutes(user, false)
      refuses(shows, await user.call('unmute-user', { muted_user_id }), `user ${muted_user_id} is not muted`)
      refuses(shows, await user.call('mute-user', { muted_user_id: user.userId }), 'nobody can mute themselves')
    },
  ),
  effect('get-presence', 'others see the latest reported presence', async (_, shows, { user, other }) => {
    for (const status of ['active', 'idle']) {
      const before = Math.floor(clockOf(await user.must('update-presence', { status })))
      const isTold = ({ body }: Exchange): boolean => body.presence?.aggregated?.timestamp >= before - 300
      const ask = (): Promise<Exchange> => other.must('get-presence', { user_id_or_email: user.userId })
      const exchange = await answerWhen(other, ask, isTold)
      const expected = `\`timestamp\` of \`aggregated\` is now: user ${user.userId} has just been ${status}`
      shows(exchange, isTold(exchange), expected)
    }
  }),
  effect(
    ['update-bot-storage', 'get-bot-storage', 'remove-bot-storage'],
    'stored values of a bot stay until they are removed',
    async (t, shows, { user }) => {
      const bot = t.deployment.given.find(({ isBot }) => isBot) ?? user
      const [one, two] = [t.unique('one'), t.unique('two')]
      const has = async (values: Values, wanted: Values): Promise<void> => {
        const exchange = await bot.must('get-bot-storage', values)
        const { storage } = exchange.body
        const found = Object.fromEntries([one, two].filter((key) => key in storage).map((key) => [key, storage[key]]))
        const says = `\`storage\` has ${JSON.stringify(wanted)} of ${one} and ${two}`
        shows(exchange, canonical(found) === canonical(wanted), says)
      }
      await bot.must('update-bot-storage', { storage: { [one]: 'first', [two]: 'second' } })
      await has({}, { [one]: 'first', [two]: 'second' })
      await has({ keys: [two] }, { [two]: 'second' })
      await bot.must('update-bot-storage', { storage: { [one]: 'changed' } })
      await has({}, { [one]: 'changed', [two]: 'second' })
      // Other servers read an empty list of keys as no list, which means all.
      if (t.isParley) {
        await has({ keys: [] }, {})
        await bot.must('remove-bot-storage', { keys: [] })
        await has({}, { [one]: 'changed', [two]: 'second' })
      }
      await bot.must('remove-bot-storage', { keys: [one] })
      await has({}, { [two]: 'second' })
      refuses(shows, await bot.call('get-bot-storage', { keys: [two, one] }), `there is no ${one} any more`)
      await bot.must('remove-bot-storage', { keys: [two] })
      await has({}, {})
    },
  ),
  effect(
    'deactivate-own-user',
    'a deactivated user disappears for everybody, and cannot reactivate themselves',
    async (t, shows, { user: watcher }) => {
      const user = await t.newUser()
      const queue = await listen(watcher, ['realm_user'])
      await user.must('deactivate-own-user')
      const refused = await user.call('get-own-user')
      shows(refused, isRefused(refused) && refused.status === 401, 'HTTP 401: the account is deactivated')
      const known = await watcher.must('get-user', { user_id_or_email: user.userId })
      shows(known, known.body.user.is_active === false, '`is_active` is false')
      const isGone = (event: Json): boolean =>
        event.person?.user_id === user.userId && (event.op === 'remove' || event.person.is_active === false)
      await heardOf(shows, queue, isGone, `an event that user ${user.userId} is not active any more`)
    },
  ),
  effectNamed(
    'effects/update-user-topic/told',
    'a visibility policy is announced to its owner only, also in the old form',
    async (t, shows, { user, other, channel }) => {
      const topic = t.unique('told').slice(-40)
      const queue = await listen(user, ['user_topic', 'muted_topics'])
      const old = await listen(user, ['muted_topics'])
      const foreign = await listen(other, ['user_topic', 'muted_topics', 'message'])
      for (const visibility_policy of [1, 0]) {
        await user.must('update-user-topic', { stream_id: channel.id, topic, visibility_policy })
        const wanted = { type: 'user_topic', stream_id: channel.id, topic_name: topic, visibility_policy }
        const told = await eventOf(shows, queue, wanted)
        const toldOld = await eventOf(shows, old, { type: 'muted_topics' })
        if (told === undefined || toldOld === undefined) return
        shows(told.exchange, isNow(told.event.last_updated, told.exchange), '`last_updated` is the present second')
        const isThere = listOf(toldOld.event.muted_topics).some((one) => one[0] === channel.name && one[1] === topic)
        const says = `"${channel.name}" and "${topic}" ${visibility_policy === 1 ? '' : 'not '}in \`muted_topics\``
        shows(toldOld.exchange, isThere === (visibility_policy === 1), says)
      }
      const [heard] = (await heardSoFar(shows, [foreign], user, other)) ?? []
      const odd = heard?.events.find(({ type }) => type !== 'message')
      if (heard) shows(heard.exchange, odd === undefined, `no event about topics of user ${user.userId}`)
    },
  ),
  effectNamed(
    'effects/archive-stream/after',
    'an archived channel is marked as archived and loses its subscribers, and its messages stay',
    async (t, shows, { user, other }) => {
      if (t.level < 360) t.leaveOut('before level 360 archived channels cannot be read')
      const [channel, kept] = [await t.channel(user, [other]), await t.channel(user)]
      const message_id = await post(user, channel, 'last', 'Last words.')
      await t.person('administrator').must('archive-stream', { stream_id: channel.id })
      succeeds(shows, await other.call('get-message', { message_id }), `message ${message_id} is there as before`)
      if (t.level < 440) return
      const channels = await user.must('get-user-channels', { user_id: user.userId })
      const ids: number[] = channels.body.subscribed_channel_ids
      const expected = `channel ${kept.id}, and not ${channel.id}, which is archived`
      shows(channels, ids.includes(kept.id) && !ids.includes(channel.id), expected)
      if (t.level < 480) return
      const stream = await other.call('get-stream', { stream_id: channel.id })
      shows(stream, stream.body?.stream?.is_archived === true, `\`is_archived\` of channel ${channel.id} is true`)
      const says = `\`description\` is "${channelDescription}", as before`
      shows(stream, stream.body?.stream?.description === channelDescription, says)
      const members = await other.call('get-subscribers', { stream_id: channel.id })
      shows(members, isSetOf(members.body?.subscribers, [user.userId, other.userId]), 'its subscribers, as before')
    },
  ),
  effectNamed(
    'effects/get-streams/rights',
    'the list of channels can include those of a bot’s owner, all active ones for administrators, and all that the caller can read',
    async (t, shows, { user }) => {
      const [open, closed] = [await t.channel(user), await t.channel(user, [], true)]
      const none = { include_public: false, include_subscribed: false }
      const holds = async (person: Account, values: Values, isThere: boolean, { id } = open): Promise<void> => {
        const exchange = await person.must('get-streams', { ...none, ...values })
        const has = listOf(exchange.body.streams).some((one: Json) => one.stream_id === id)
        const says = `channel ${id} ${isThere ? '' : 'not '}there, for ${JSON.stringify(values)}`
        shows(exchange, has === isThere, says)
      }
      const administrator = t.person('administrator')
      await holds(administrator, { include_all_active: true }, true)
      if (t.level >= 356) await holds(administrator, { include_can_access_content: true }, false, closed)
      const refused = await user.call('get-streams', { include_all_active: true })
      refuses(shows, refused, `user ${user.userId} is not an administrator`)
      const { members } = (await user.must('get-users')).body
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      const owner = listOf(members).find((one: Json) => one.user_id === bot?.userId)?.bot_owner_id
      if (bot === undefined || owner === undefined || owner === null) return
      await holds(bot, { include_owner_subscribed: true }, false)
      await user.must('subscribe', { subscriptions: [{ name: open.name }], principals: [owner] })
      await holds(bot, { include_owner_subscribed: true }, true)
      await holds(bot, {}, false)
    },
  ),
  effectNamed(
    'effects/remove-bot-storage/all',
    'without keys, everything that a bot stored is removed',
    async (t, shows) => {
      const person = await t.newUser() // no other check needs this account's storage
      await person.must('update-bot-storage', { storage: { one: '1', two: '2' } })
      await person.must('remove-bot-storage')
      const exchange = await person.must('get-bot-storage')
      shows(exchange, Object.keys(exchange.body.storage).length === 0, 'an empty `storage`')
    },
    'update-bot-storage',
  ),
]

async function statusOf(reader: Account, user: Account): Promise<{ exchange: Exchange; status: Json }> {
  const exchange = await reader.must('get-user-status', { user_id: user.userId })
  return { exchange, status: exchange.body.status }
}

async function hasStatus(shows: Shows, reader: Account, user: Account, wanted: Values): Promise<void> {
  const { exchange, status: all } = await statusOf(reader, user)
  const { away: _, ...status } = all
  const said = Object.entries({ ...status, ...wanted }).filter(([name]) => (status[name] || undefined) !== wanted[name])
  shows(exchange, said.length === 0, `\`status\` of user ${user.userId} is ${JSON.stringify(wanted)}`)
}

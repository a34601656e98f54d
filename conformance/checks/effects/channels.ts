import type { Account, Values } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { isNow } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'
import { ownOf } from '../subscriptions.ts'

/** Kinds of channels that people who are not administrators can find. */
const shownTo = ['open', 'followed', 'own'] as const

export const checks: readonly Check[] = [
  effect(
    'get-streams',
    'the list has the channels that the caller may see, of each kind',
    async (t, shows, { user, other }) => {
      const channels = {
        open: await t.channel(other),
        followed: await t.channel(user),
        own: await t.channel(user, [], true),
        hidden: await t.channel(other, [], true),
        archived: await t.channel(user),
      }
      const admin = t.deployment.atLeast('administrator')
      await admin?.must('archive-stream', { stream_id: channels.archived.id })
      const names = Object.keys(channels) as (keyof typeof channels)[]
      const hasExactly = async (values: Values, wanted: readonly (keyof typeof channels)[]): Promise<void> => {
        const exchange = await user.must('get-streams', values)
        const ids: number[] = exchange.body.streams.map(({ stream_id: id }: Json) => id)
        const known = names.filter((name) => admin !== undefined || name !== 'archived')
        const has = known.filter((name) => ids.includes(channels[name].id))
        const says = `of the channels ${known.map((name) => `${channels[name].id} (${name})`).join()} only ${wanted.join() || 'none'}, for ${JSON.stringify(values)}`
        shows(exchange, has.toSorted().join() === wanted.toSorted().join(), says)
        shows(exchange, new Set(ids).size === ids.length, 'no channel twice')
      }
      const nothing = { include_public: false, include_subscribed: false }
      await hasExactly({}, ['open', 'followed', 'own'])
      await hasExactly({ include_public: false }, ['followed', 'own'])
      await hasExactly({ include_subscribed: false }, ['open', 'followed'])
      await hasExactly(nothing, [])
      await hasExactly({ ...nothing, include_web_public: true }, [])
      if (t.level >= 315) {
        await hasExactly({ exclude_archived: true }, ['open', 'followed', 'own'])
        if (admin !== undefined) await hasExactly({ exclude_archived: false }, [...shownTo, 'archived'])
      }
      if (t.level >= 356) {
        await hasExactly({ ...nothing, include_all: true }, shownTo)
        await hasExactly({ ...nothing, include_can_access_content: true }, shownTo)
      }
    },
  ),
  effect(
    'get-stream-id',
    'a channel is found by its name, without regard to case',
    async (t, shows, { user, other }) => {
      const channel = await t.channel(other)
      for (const stream of [channel.name, channel.name.toUpperCase()]) {
        const exchange = await user.must('get-stream-id', { stream })
        shows(exchange, exchange.body.stream_id === channel.id, `\`stream_id\` is ${channel.id}`)
      }
    },
  ),
  effect(
    ['get-subscribers', 'get-subscription-status'],
    'the subscribers of a channel are listed as of now',
    async (t, shows, { user, other }) => {
      const channel = await t.channel(user, [other])
      const holds = async (ids: readonly number[]): Promise<void> => {
        const exchange = await user.must('get-subscribers', { stream_id: channel.id })
        shows(exchange, isSetOf(exchange.body.subscribers, ids), `\`subscribers\` are ${ids}`)
        for (const { userId: user_id } of [user, other]) {
          const status = await user.must('get-subscription-status', { user_id, stream_id: channel.id })
          const isThere = ids.includes(user_id)
          shows(status, status.body.is_subscribed === isThere, `\`is_subscribed\` of user ${user_id} is ${isThere}`)
        }
      }
      await holds([user.userId, other.userId])
      await other.must('unsubscribe', { subscriptions: [channel.name] })
      await holds([user.userId])
      await other.must('subscribe', { subscriptions: [{ name: channel.name }] })
      await holds([user.userId, other.userId])
    },
  ),
  effect(
    'get-stream-email-address',
    'anyone who may send to a channel can read its email address, with themselves as the sender',
    async (t, shows, { user, other }) => {
      const [channel, hidden] = [await t.channel(user), await t.channel(other, [], true)]
      const read = (stream_id: number, sender_id?: number) =>
        user.call('get-stream-email-address', { stream_id, ...(t.level >= 335 && { sender_id }) })
      for (const sender of [undefined, user.userId]) {
        const answer = await read(channel.id, sender)
        shows(answer, typeof answer.body?.email === 'string', 'an `email`, which may be empty')
      }
      refuses(shows, await read(hidden.id), `channel ${hidden.id} is hidden from user ${user.userId}`)
      if (t.level < 335) return
      refuses(shows, await read(channel.id, other.userId), `user ${other.userId} is somebody else`)
    },
  ),

  effect(
    'get-user-channels',
    'the channels of another user are listed, except those that the caller may not see',
    async (t, shows, { user, other }) => {
      const admin = t.person('administrator')
      const [open, shared, hidden] = [
        await t.channel(other),
        await t.channel(other, [user], true),
        await t.channel(other, [], true),
      ]
      const reader = admin.userId === user.userId ? admin : user
      const exchange = await reader.must('get-user-channels', { user_id: other.userId })
      const ids: number[] = exchange.body.subscribed_channel_ids
      shows(exchange, ids.includes(open.id) && ids.includes(shared.id), `channels ${open.id} and ${shared.id}`)
      if (reader === user)
        shows(exchange, !ids.includes(hidden.id), `no channel ${hidden.id}, which is hidden from user ${user.userId}`)
    },
  ),
  effect(
    'update-user-topic',
    'a visibility policy of a topic stays until it is changed',
    async (t, shows, { user, other, channel }) => {
      const [topic, second] = [t.unique('policy'), t.unique('second')]
      const change = (name: string, policy: number): Promise<Exchange> =>
        user.must('update-user-topic', { stream_id: channel.id, topic: name, visibility_policy: policy })
      await change(second, 1)
      for (const policy of [1, 3, 2, 0, 3, 0]) {
        await change(policy === 3 ? topic.toUpperCase() : topic, policy)
        const { exchange, policies } = await policiesOf(user, channel)
        const says = `\`visibility_policy\` of "${topic}" is ${policy}, where 0 is none`
        shows(exchange, (policies.get(topic.toLowerCase()) ?? 0) === policy, says)
        const isListed = policies.has(topic.toLowerCase())
        const expected = `"${topic}" among \`user_topics\` only where there is something to say`
        shows(exchange, isListed === policy > 0, expected)
        shows(exchange, policies.get(second.toLowerCase()) === 1, `\`visibility_policy\` of "${second}" is 1 as before`)
      }
      const others = await policiesOf(other, channel)
      const isRight = !others.policies.has(second.toLowerCase())
      shows(others.exchange, isRight, `no policy for "${second}" of user ${other.userId}`)
      await change(second, 0)
    },
  ),
  effect(
    'mute-topic',
    'a topic is muted and unmuted, with the channel given by name or ID',
    async (t, shows, { user, channel }) => {
      const topic = t.unique('muted').slice(-40)
      const [byId, byName] = [{ stream_id: channel.id }, { stream: channel.name }]
      for (const [place, op, policy] of [
        [byId, 'add', 1],
        [byName, 'remove', 0],
        [byName, 'add', 1],
        [byId, 'remove', 0],
      ] as const) {
        await user.must('mute-topic', { ...place, topic, op })
        const { exchange, policies, changedAt } = await policiesOf(user, channel)
        const says = `\`visibility_policy\` of "${topic}" is ${policy}, where 0 is none`
        shows(exchange, (policies.get(topic.toLowerCase()) ?? 0) === policy, says)
        const at = changedAt.get(topic.toLowerCase())
        if (at !== undefined) shows(exchange, isNow(at, exchange), '`last_updated` is the present second')
      }
    },
  ),
  effectNamed('effects/mute-topic/others', 'unmuting a topic that is not muted changes nothing', async (t, shows) => {
    // Deployed servers remove the topic's visibility policy.
    if (!t.isParley) t.leaveOut('only Parley says what happens to a followed topic')
    const { user, channel } = await t.scene()
    const topic = t.unique('followed').slice(-40)
    for (const visibility_policy of [3, 2]) {
      await user.must('update-user-topic', { stream_id: channel.id, topic, visibility_policy })
      for (const place of [{ stream_id: channel.id }, { stream: channel.name }]) {
        for (const name of [topic, topic.toUpperCase()]) {
          await user.must('mute-topic', { ...place, topic: name, op: 'remove' })
          const { exchange, policies } = await policiesOf(user, channel)
          const says = `\`visibility_policy\` of "${topic}" is ${visibility_policy} as before: it was not muted`
          shows(exchange, policies.get(topic.toLowerCase()) === visibility_policy, says)
        }
      }
    }
  }),
  effectNamed(
    'effects/update-subscriptions/told',
    'subscribing to one channel and leaving two others in one request announces all three changes',
    async (t, shows, { user, other }) => {
      const [fresh, left] = [await t.channel(other), await t.channel(other, [user])]
      const second = await t.channel(other, [user])
      const types = ['subscription', 'message']
      const [own, theirs] = [await listen(user, types), await listen(other, types)]
      await user.must('update-subscriptions', { add: [{ name: fresh.name }], delete: [left.name, second.name] })
      const isOf =
        (op: string, id: number) =>
        ({ type, op: is, subscriptions = [], stream_ids: ids = [], user_ids: people = [] }: Json): boolean =>
          type === 'subscription' &&
          is === op &&
          (op.startsWith('peer_')
            ? ids.includes(id) && people.includes(user.userId)
            : subscriptions.some((one: Json) => one.stream_id === id))
      for (const [queue, wanted] of [
        [own, [['add', fresh.id] as const, ...[left, second].map(({ id }) => ['remove', id] as const)]],
        [theirs, [['peer_add', fresh.id] as const, ['peer_remove', left.id] as const]],
      ] as const) {
        const found = new Set<string>()
        const areAll = (event: Json): boolean => {
          for (const [op, id] of wanted) if (isOf(op, id)(event)) found.add(`${op} ${id}`)
          return found.size === wanted.length
        }
        const says = `and all before it: ${wanted.map((one) => one.join(' ')).join(', ')}`
        if (wanted.length > 0 && !(await eventOf(shows, queue, areAll, says))) return
      }
      const listed = await user.must('get-subscriptions')
      const isRight = ownOf(listed, fresh) !== undefined && ownOf(listed, left) === undefined
      shows(listed, isRight, `channel ${fresh.id}, and not ${left.id}`)
    },
  ),
  effectNamed(
    'effects/get-subscriptions/everybody',
    'bots and guests are listed among the subscribers of a channel everywhere',
    async (t, shows, { user, other }) => {
      const { members } = (await user.must('get-users')).body
      const bot = members.find((one: Json) => one.is_bot && one.is_active !== false)
      const guest = members.find((one: Json) => one.role === 600 && one.is_active !== false)
      for (const channel of [await t.channel(user, [other]), await t.channel(user, [other], true)]) {
        const ids = [user.userId, other.userId]
        for (const one of [bot, guest]) {
          if (one === undefined) continue
          const values = { subscriptions: [{ name: channel.name }], principals: [one.user_id] }
          const added = await user.call('subscribe', values)
          if (added.status === 200) ids.push(one.user_id)
        }
        const says = `\`subscribers\` of channel ${channel.id} are ${ids.join()}`
        const alone = await user.must('get-subscribers', { stream_id: channel.id })
        shows(alone, isSetOf(alone.body.subscribers, ids), says)
        for (const include_subscribers of ['true', ...(t.level >= 412 ? ['partial'] : [])]) {
          const state = await user.must('register-queue', { event_types: ['subscription'], include_subscribers })
          const list: Exchange = await user.must('get-subscriptions', { include_subscribers })
          for (const exchange of [list, state]) {
            const isRight = isSetOf(ownOf(exchange, channel)?.subscribers, ids)
            shows(exchange, isRight, `${says}, for include_subscribers=${include_subscribers}`)
          }
        }
      }
    },
  ),
]

/** The user's visibility policies in a channel, by lower-case topic name. */
export async function policiesOf(user: Account, channel: Channel) {
  const exchange = await user.must('register-queue', { event_types: ['user_topic'] })
  const rows: Json[] = exchange.body.user_topics.filter(({ stream_id: id }: Json) => id === channel.id)
  const by = <One>(value: (row: Json) => One): Map<string, One> =>
    new Map(rows.map((row) => [row.topic_name.toLowerCase(), value(row)]))
  return { exchange, policies: by<number>((row) => row.visibility_policy), changedAt: by((row) => row.last_updated) }
}

import type { Account } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/deployment.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, isSetOf, type Json } from '../../wire/values.ts'

const making = ['subscribe', 'get-subscriptions'] as const

export const channelEffects: readonly Check[] = [
  effect('get-streams', 'channels that the caller may know of, by kind', making, async (t, shows) => {
    const { user, other } = await t.scene()
    const [open, hidden] = [await t.channel(other), await t.channel(other, [], true)]
    const own = await t.channel(user, [], true)
    const holds = async (values: object, wanted: readonly Channel[], unwanted: readonly Channel[]): Promise<void> => {
      const exchange = await user.must('get-streams', { ...values })
      const ids: number[] = exchange.body.streams.map(({ stream_id: id }: Json) => id)
      const says = `channels ${wanted.map(({ id }) => id).join()}, and not ${unwanted.map(({ id }) => id).join()}, for ${JSON.stringify(values)}`
      const isExact = wanted.every(({ id }) => ids.includes(id)) && !unwanted.some(({ id }) => ids.includes(id))
      shows(exchange, isExact && new Set(ids).size === ids.length, says)
    }
    await holds({}, [open, own], [hidden])
    await holds({ include_public: false }, [own], [open, hidden])
    await holds({ include_subscribed: false }, [open], [own, hidden])
    await holds({ include_public: false, include_subscribed: false }, [], [open, own, hidden])
  }),
  effect('get-stream', 'one channel as its list has it, and none that is hidden', making, async (t, shows) => {
    const { user, other } = await t.scene()
    const [channel, hidden] = [await t.channel(user), await t.channel(other, [], true)]
    const listed = await user.must('get-subscriptions')
    const one: Json = listed.body.subscriptions.find((each: Json) => each.stream_id === channel.id)
    const exchange = await user.must('get-stream', { stream_id: channel.id })
    const fields = [
      'name',
      'description',
      'rendered_description',
      'date_created',
      'creator_id',
      'invite_only',
      'history_public_to_subscribers',
      'message_retention_days',
      'is_web_public',
      'stream_post_policy',
      'is_announcement_only',
    ]
    for (const field of fields) {
      if (one?.[field] === undefined || exchange.body.stream[field] === undefined) continue
      shows(
        exchange,
        JSON.stringify(exchange.body.stream[field]) === JSON.stringify(one[field]),
        `\`${field}\` is ${JSON.stringify(one[field])}, as in GET /users/me/subscriptions`,
      )
    }
    shows(
      exchange,
      exchange.body.stream.stream_id === channel.id && exchange.body.stream.name === channel.name,
      `channel ${channel.id}, "${channel.name}"`,
    )
    const refused = await user.call('get-stream', { stream_id: hidden.id })
    shows(refused, isRefused(refused), `a refusal, because channel ${hidden.id} is hidden from user ${user.userId}`)
  }),
  effect('get-stream-id', 'a channel by its name, and none that is hidden', making, async (t, shows) => {
    const { user, other } = await t.scene()
    const [channel, hidden] = [await t.channel(other), await t.channel(other, [], true)]
    for (const stream of [channel.name, channel.name.toUpperCase()]) {
      const exchange = await user.must('get-stream-id', { stream })
      shows(exchange, exchange.body.stream_id === channel.id, `\`stream_id\` is ${channel.id}`)
    }
    const refused = await user.call('get-stream-id', { stream: hidden.name })
    shows(refused, isRefused(refused), `a refusal, because channel ${hidden.id} is hidden from user ${user.userId}`)
  }),
  effect('get-subscribers', 'who follows a channel, now', [...making, 'unsubscribe'], async (t, shows) => {
    const { user, other } = await t.scene()
    const [channel, hidden] = [await t.channel(user, [other]), await t.channel(other, [], true)]
    const holds = async (ids: readonly number[]): Promise<void> => {
      const exchange = await user.must('get-subscribers', { stream_id: channel.id })
      shows(exchange, isSetOf(exchange.body.subscribers, ids), `\`subscribers\` are ${ids}`)
    }
    await holds([user.userId, other.userId])
    await other.must('unsubscribe', { subscriptions: [channel.name] })
    await holds([user.userId])
    await other.must('subscribe', { subscriptions: [{ name: channel.name }] })
    await holds([user.userId, other.userId])
    const refused = await user.call('get-subscribers', { stream_id: hidden.id })
    shows(refused, isRefused(refused), `a refusal, because channel ${hidden.id} is hidden from user ${user.userId}`)
  }),
  effect(
    'get-subscription-status',
    'whether somebody follows a channel, now',
    [...making, 'unsubscribe'],
    async (t, shows) => {
      const { user, other } = await t.scene()
      const channel = await t.channel(user)
      const holds = async (person: Account, isSubscribed: boolean): Promise<void> => {
        const exchange = await user.must('get-subscription-status', { user_id: person.userId, stream_id: channel.id })
        shows(exchange, exchange.body.is_subscribed === isSubscribed, `\`is_subscribed\` is ${isSubscribed}`)
      }
      await holds(user, true)
      await holds(other, false)
      await other.must('subscribe', { subscriptions: [{ name: channel.name }] })
      await holds(other, true)
      await user.must('unsubscribe', { subscriptions: [channel.name] })
      await holds(user, false)
    },
  ),
  effect(
    'get-user-channels',
    'the channels that somebody follows, without those hidden from the caller',
    making,
    async (t, shows) => {
      const { user, other } = await t.scene()
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
    'admin',
  ),
  effect('update-subscriptions', 'channels are added and left with one request', making, async (t, shows) => {
    const { user, other } = await t.scene()
    const [left, added] = [await t.channel(user), await t.channel(other)]
    const exchange = await user.must('update-subscriptions', { delete: [left.name], add: [{ name: added.name }] })
    shows(exchange, exchange.body.removed?.join() === left.name, `\`removed\` is "${left.name}"`)
    const subscribed = Object.values(exchange.body.subscribed ?? {}).flat()
    shows(exchange, subscribed.join() === added.name, `\`subscribed\` has "${added.name}"`)
    const listed = await user.must('get-subscriptions')
    const ids = listed.body.subscriptions.map(({ stream_id: id }: Json) => id)
    shows(listed, ids.includes(added.id) && !ids.includes(left.id), `channel ${added.id}, and not ${left.id}`)
  }),
  effect('unsubscribe', 'who leaves a channel no longer follows it, and all others do', making, async (t, shows) => {
    const { user, other } = await t.scene()
    const [channel, kept] = [await t.channel(user, [other]), await t.channel(user)]
    const exchange = await user.must('unsubscribe', { subscriptions: [channel.name] })
    shows(
      exchange,
      exchange.body.removed?.join() === channel.name && exchange.body.not_removed?.length === 0,
      `\`removed\` is "${channel.name}", \`not_removed\` is empty`,
    )
    const again = await user.must('unsubscribe', { subscriptions: [channel.name] })
    shows(
      again,
      again.body.not_removed?.join() === channel.name && again.body.removed?.length === 0,
      `\`not_removed\` is "${channel.name}", \`removed\` is empty`,
    )
    for (const [person, wanted, unwanted] of [
      [user, kept, channel],
      [other, channel, kept],
    ] as const) {
      const listed = await person.must('get-subscriptions')
      const ids = listed.body.subscriptions.map(({ stream_id: id }: Json) => id)
      shows(
        listed,
        ids.includes(wanted.id) && !ids.includes(unwanted.id),
        `channel ${wanted.id}, and not ${unwanted.id}`,
      )
    }
  }),
  effect(
    'update-user-topic',
    'what the caller wants to see of a topic is kept until it is changed',
    [...making, 'register-queue'],
    async (t, shows) => {
      const { user, other, channel } = await t.scene()
      const [topic, second] = [t.unique('policy'), t.unique('second')]
      const change = (name: string, policy: number): Promise<Exchange> =>
        user.must('update-user-topic', { stream_id: channel.id, topic: name, visibility_policy: policy })
      await change(second, 1)
      for (const policy of [1, 3, 2, 0, 3, 0]) {
        await change(policy === 3 ? topic.toUpperCase() : topic, policy)
        const { exchange, policies } = await policiesOf(user, channel)
        shows(
          exchange,
          (policies.get(topic.toLowerCase()) ?? 0) === policy,
          `\`visibility_policy\` of "${topic}" is ${policy}, where 0 is none`,
        )
        shows(exchange, policies.get(second.toLowerCase()) === 1, `\`visibility_policy\` of "${second}" is 1 as before`)
      }
      const others = await policiesOf(other, channel)
      shows(
        others.exchange,
        !others.policies.has(second.toLowerCase()),
        `nothing of "${second}" for user ${other.userId}`,
      )
      await change(second, 0)
    },
  ),
  effect('mute-topic', 'a topic is muted, and no longer', [...making, 'register-queue'], async (t, shows) => {
    const { user, channel } = await t.scene()
    const topic = t.unique('muted').slice(-40)
    for (const [op, policy] of [
      ['add', 1],
      ['remove', 0],
      ['add', 1],
    ] as const) {
      await user.must('mute-topic', { stream_id: channel.id, topic, op })
      const { exchange, policies } = await policiesOf(user, channel)
      shows(
        exchange,
        (policies.get(topic.toLowerCase()) ?? 0) === policy,
        `\`visibility_policy\` of "${topic}" is ${policy}, where 0 is none`,
      )
    }
    await user.must('mute-topic', { stream_id: channel.id, topic, op: 'remove' })
  }),
  effect(
    'archive-stream',
    'an archived channel is no longer among the others, and takes no messages',
    [...making, 'get-streams', 'send-message'],
    async (t, shows) => {
      const { user, other } = await t.scene()
      const admin = t.person('administrator')
      const [channel, kept] = [await t.channel(user, [other]), await t.channel(user)]
      await post(user, channel, 'last', 'Last words.')
      await admin.must('archive-stream', { stream_id: channel.id })
      t.deployment.forget(channel)
      const listed = await other.must('get-streams')
      const ids = listed.body.streams
        .filter(({ is_archived }: Json) => is_archived !== true)
        .map(({ stream_id: id }: Json) => id)
      shows(listed, ids.includes(kept.id) && !ids.includes(channel.id), `channel ${kept.id}, and not ${channel.id}`)
      const refused = await other.call('send-message', {
        type: 'stream',
        to: channel.id,
        topic: 'late',
        content: 'Too late.',
      })
      shows(refused, isRefused(refused), `a refusal, because channel ${channel.id} is archived`)
    },
    'admin',
  ),
]

async function policiesOf(
  user: Account,
  channel: Channel,
): Promise<{ exchange: Exchange; policies: Map<string, number> }> {
  const exchange = await user.must('register-queue', { event_types: ['user_topic'] })
  await user.call('delete-queue', { queue_id: exchange.body.queue_id })
  const rows: Json[] = exchange.body.user_topics.filter(({ stream_id: id }: Json) => id === channel.id)
  return { exchange, policies: new Map(rows.map((row) => [row.topic_name.toLowerCase(), row.visibility_policy])) }
}

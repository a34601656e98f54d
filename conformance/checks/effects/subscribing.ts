import { type Account, operationNamed, type Values } from '../../deployment/account.ts'
import { channelDescription } from '../../deployment/deployment.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { isSetOf, type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'
import { gainedBy } from '../own-events.ts'
import { ownOf } from '../subscriptions.ts'

export const checks: readonly Check[] = [
  effectNamed(
    'effects/subscribe/making',
    'a channel is created as requested, and a later request to subscribe does not change it',
    async (t, shows, { other }) => {
      const user = t.person('owner') // owners may choose all of this on every server
      const wishes: Values = {
        invite_only: true,
        history_public_to_subscribers: true,
        ...groupSettings(t, user, other),
        message_retention_days: 30,
        ...(t.level >= 392 && { topics_policy: 'disable_empty_topic' }),
      }
      const channel = await t.channel(user, [], true, wishes)
      const isAsMade = async (): Promise<void> => {
        const followed = await user.must('get-subscriptions')
        const alone = await user.must('get-stream', { stream_id: channel.id })
        const all = await user.must('get-streams')
        for (const [field, value] of Object.entries({ description: channelDescription, ...wishes })) {
          const says = `\`${field}\` of channel ${channel.id} is ${JSON.stringify(value)}`
          shows(followed, isSame(ownOf(followed, channel)?.[field], value), says)
          for (const [exchange, has] of [
            [alone, alone.body.stream],
            [all, listOf(all.body.streams).find((one: Json) => one.stream_id === channel.id)],
          ] as const) {
            if (has?.[field] !== undefined) shows(exchange, isSame(has[field], value), says)
          }
        }
      }
      await isAsMade()
      const added = await user.must('subscribe', {
        subscriptions: [{ name: channel.name, description: 'Other.' }],
        principals: [other.userId],
        invite_only: false,
        history_public_to_subscribers: false,
        ...(t.level >= 392 && { topics_policy: 'allow_empty_topic' }),
        ...(t.level >= 397 && { send_new_subscription_messages: false }),
      })
      const { new_subscription_messages_sent: told } = added.body
      const isSilent = t.level < 397 || told === undefined
      shows(added, isSilent, 'no `new_subscription_messages_sent`: no messages were asked for')
      await isAsMade()
      await hasSubscribers(shows, user, channel, [user, other])
    },
  ),
  effectNamed(
    'effects/subscribe/default',
    'a channel created as a default channel is listed as one',
    async (t, shows) => {
      const admin = t.person('administrator')
      const [usual, plain] = [await t.channel(admin, [], false, { is_default_stream: true }), await t.channel(admin)]
      const listed = await admin.must('get-streams', { include_default: true })
      for (const [channel, isDefault] of [
        [usual, true],
        [plain, false],
      ] as const) {
        const has = listOf(listed.body.streams).find((one: Json) => one.stream_id === channel.id)?.is_default
        shows(listed, has === isDefault, `\`is_default\` of channel ${channel.id} is ${isDefault}`)
      }
      const unnamed = await admin.must('get-streams')
      const isSaid = listOf(unnamed.body.streams).some((one: Json) => 'is_default' in one)
      shows(unnamed, !isSaid, 'no `is_default`, which was not asked for')
      const state = await admin.must('register-queue', { event_types: ['default_streams'] })
      const ids = listOf(state.body.realm_default_streams).map((one: Json) => one?.stream_id ?? one)
      const isRight = ids.includes(usual.id) && !ids.includes(plain.id)
      shows(state, isRight, `channel ${usual.id}, and not ${plain.id}, in \`realm_default_streams\``)
      await admin.must('archive-stream', { stream_id: usual.id }) // before others join
    },
  ),
  effectNamed(
    'effects/subscribe/principals',
    'people can be named by ID or address',
    async (t, shows, { user, other }) => {
      const admin = t.person('administrator')
      const known = await user.must('get-user', { user_id_or_email: other.userId })
      const address: string = known.body.user.email
      const channel = await t.channel(user)
      const subscriptions = [channel.name]
      const added = [{ name: channel.name }]
      await user.must('subscribe', { subscriptions: added, principals: [address] })
      await hasSubscribers(shows, user, channel, [user, other])
      await admin.must('unsubscribe', { subscriptions, principals: [address] })
      await hasSubscribers(shows, user, channel, [user])
      await user.must('subscribe', { subscriptions: added, principals: [other.userId] })
      await hasSubscribers(shows, user, channel, [user, other])
      await admin.must('unsubscribe', { subscriptions, principals: [other.userId] })
      await hasSubscribers(shows, user, channel, [user])

      const [third, followed] = [await t.user(), await t.channel(user, [other])]
      const [ofOther, ofThird] = [await listen(other, ['subscription']), await listen(third, ['subscription'])]
      const principals = [other.userId, third.userId]
      await user.must('subscribe', { subscriptions: [{ name: followed.name }, ...added], principals })
      for (const [queue, channels] of [
        [ofOther, [channel]],
        [ofThird, [followed, channel]],
      ] as const) {
        const { gained, exchange } = await gainedBy(queue, channels)
        const [told, ids] = [gained.map(({ stream_id }) => stream_id), channels.map(({ id }) => id)]
        const says = `that the channels ${ids} were added; but there are ${told.join() || 'none'}`
        shows(exchange, isSetOf(told, ids), says)
      }
    },
  ),
  effectNamed(
    'effects/subscribe/unauthorized',
    'a channel that the caller may not join makes the whole request fail, unless the caller says otherwise',
    async (t, shows, { user, other }) => {
      const [open, hidden] = [await t.channel(other), await t.channel(other, [], true)]
      const subscriptions = [{ name: open.name }, { name: hidden.name }]
      const refused = await user.call('subscribe', { subscriptions, authorization_errors_fatal: true })
      refuses(shows, refused, `channel ${hidden.id} is hidden from user ${user.userId}`)
      await hasSubscribers(shows, other, open, [other])
      const done = await user.call('subscribe', { subscriptions, authorization_errors_fatal: false })
      const isNamed = listOf(done.body?.unauthorized).join() === hidden.name
      shows(done, done.status === 200 && isNamed, `success, and \`unauthorized\` is "${hidden.name}"`)
      await hasSubscribers(shows, other, open, [user, other])
      await hasSubscribers(shows, other, hidden, [other])
    },
  ),
  effectNamed(
    'effects/unsubscribe/mixed',
    'a channel that only some of the people followed is listed both as removed and as not removed',
    async (t, shows, { user, other }) => {
      const admin = t.person('administrator')
      const third = await t.user()
      const [some, all, none] = [
        await t.channel(user, [other]),
        await t.channel(user, [other, third]),
        await t.channel(user),
      ]
      const exchange = await admin.must('unsubscribe', {
        subscriptions: [some, all, none].map(({ name }) => name),
        principals: [other.userId, third.userId],
      })
      for (const [field, wanted] of [
        ['removed', [some, all]],
        ['not_removed', [some, none]],
      ] as const) {
        const names = new Set(listOf(exchange.body[field])) // some servers list a name once for each user
        const isRight = names.size === wanted.length && wanted.every(({ name }) => names.has(name))
        const says = `\`${field}\` names ${wanted.map(({ name }) => `"${name}"`).join(' and ')}, and no others`
        shows(exchange, isRight, says)
      }
      for (const channel of [some, all, none]) await hasSubscribers(shows, user, channel, [user])
    },
  ),
  effect(
    'update-subscriptions',
    'one request adds and removes channels, and its answer lists those without a change',
    async (t, shows, { user, other }) => {
      const [followed, foreign, left] = [await t.channel(user), await t.channel(other), await t.channel(user)]
      const name = t.unique('added')
      const values = {
        add: [{ name: followed.name }, { name, description: 'New.', color: '#123456' }],
        delete: [foreign.name, left.name],
      }
      const queue = await listen(user, ['subscription'])
      const exchange = await user.must('update-subscriptions', values)
      const { subscribed, already_subscribed: already, removed, not_removed: kept } = exchange.body
      for (const [field, has, wanted] of [
        ['subscribed', Object.values(subscribed ?? {}), name],
        ['already_subscribed', Object.values(already ?? {}), followed.name],
        ['removed', removed, left.name],
        ['not_removed', kept, foreign.name],
      ] as const) {
        shows(exchange, listOf(has).flat().join() === wanted, `\`${field}\` has ${wanted}`)
      }
      const channel = await channelNamed(t, user, name)
      const listed = await user.must('get-subscriptions')
      shows(listed, ownOf(listed, left) === undefined, `no channel ${left.id}, which was left`)
      const { color, description } = ownOf(listed, channel) ?? {}
      const expected = `\`color\` and \`description\` of channel ${channel.id}`
      shows(listed, color === '#123456' && description === 'New.', expected)
      const { gained, exchange: heard } = await gainedBy(queue, [channel])
      shows(heard, gained[0]?.color === '#123456', `\`color\` #123456 of channel ${channel.id}, in the event, too`)
      const whole = await user.call('update-subscriptions', {
        add: [{ name: foreign.name }],
        delete: [t.unique('none')],
      })
      refuses(shows, whole, 'there is no such channel to leave')
      await hasSubscribers(shows, other, foreign, [other])
    },
  ),
  effect(
    'create-channel',
    'a channel is created as requested, with the named people as subscribers',
    async (t, shows, { user, other }) => {
      const owner = t.person('owner') // owners may choose all of this on every server
      const wanted: Values = {
        invite_only: true,
        history_public_to_subscribers: true,
        topics_policy: 'disable_empty_topic',
        message_retention_days: 30,
        description: 'Made **alone** & "<b>".',
        ...groupSettings(t, owner, other),
      }
      const queue = await listen(other, ['subscription'])
      for (const [wishes, followers] of [
        [wanted, [owner, other]],
        [{}, [other]],
        [{}, []],
      ] as const) {
        const values = { name: t.unique('conformance'), subscribers: followers.map(({ userId }) => userId), ...wishes }
        const made = await owner.must('create-channel', values)
        const channel = { id: made.body.id, name: values.name }
        const usual = {
          description: '',
          invite_only: false,
          history_public_to_subscribers: true,
          topics_policy: 'inherit',
          message_retention_days: null,
          ...(t.level >= 323 && { is_recently_active: true }),
        }
        const { subscribers: _, ...expected } = { ...usual, ...values }
        const shown = await owner.must('get-stream', { stream_id: channel.id })
        for (const [field, value] of Object.entries<unknown>({ ...expected, creator_id: owner.userId })) {
          const says = `\`${field}\` of channel ${channel.id} is ${JSON.stringify(value)}`
          shows(shown, isSame(shown.body.stream[field], value), says)
        }
        await hasSubscribers(shows, owner, channel, followers)
        if (followers.length === 0) continue
        const isAdded = ({ op, subscriptions }: Json): boolean =>
          op === 'add' && listOf(subscriptions).some((one) => one.stream_id === channel.id)
        await eventOf(shows, queue, isAdded, `of the subscription, for user ${other.userId}`)
        const taken = await user.call('create-channel', { name: channel.name.toUpperCase(), subscribers: [] })
        shows(taken, taken.status === 409, 'a refusal: there is a channel of this name')
      }
    },
  ),
  effectNamed(
    'effects/create-channel/nobody',
    'no channel is created if one of its subscribers does not exist',
    async (t, shows, { user }) => {
      const name = t.unique('conformance')
      const refused = await user.call('create-channel', { name, subscribers: [user.userId, 2_147_483_646] })
      refuses(shows, refused, 'one of the users to subscribe does not exist')
      refuses(shows, await user.call('get-stream-id', { stream: name }), 'nothing was made')
    },
  ),
]

/** Every channel permission at the server's level, given to one or both of the two. */
function groupSettings(t: CheckContext, user: Account, other: Account): Values {
  const given = [[user.userId], [user.userId, other.userId], [other.userId]]
  if (t.level < 333) return {}
  const { parameters } = operationNamed(t.deployment.contract, 'subscribe')
  const names = parameters.filter(({ name }) => /^can_\w+_group$/.test(name))
  return Object.fromEntries(
    names.map(({ name }, place) => [name, { direct_members: given[place % 3], direct_subgroups: [] }]),
  )
}

function isSame(has: unknown, wanted: unknown): boolean {
  const members = (wanted as Json)?.direct_members
  if (members === undefined) return has === wanted
  const { direct_members: people, direct_subgroups: groups } = (has ?? {}) as Json
  return isSetOf(people, members) && isSetOf(groups, (wanted as Json).direct_subgroups)
}

/** A channel that `user` has created by subscribing to it. */
async function channelNamed(t: CheckContext, user: Account, name: string): Promise<Channel> {
  const exchange = await user.must('get-subscriptions')
  const found = listOf(exchange.body.subscriptions).find((one: Json) => one.name === name)
  return { id: Number(found?.stream_id), name: String(found?.name ?? t.unique('none')) }
}

export async function hasSubscribers(shows: Shows, reader: Account, channel: Channel, people: readonly Account[]) {
  const exchange = await reader.must('get-subscribers', { stream_id: channel.id })
  const ids = people.map(({ userId }) => userId)
  shows(exchange, isSetOf(exchange.body.subscribers, ids), `\`subscribers\` of channel ${channel.id} are ${ids.join()}`)
  return exchange
}

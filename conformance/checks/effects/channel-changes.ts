import type { Account, Values } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, heardOf, listen } from '../../kernel/listening.ts'
import { fetched, fetchedInList, messageOf, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, type Json, listOf } from '../../wire/values.ts'
import { refuses, succeeds } from '../outcomes.ts'
import { ownOf } from '../subscriptions.ts'

/** Capabilities for events about a channel without a subscription. */
const capable = { client_capabilities: { notification_settings_null: true, archived_channels: true } }
/** A person with a permission and one without, in a third person's channel. */
interface Divided {
  readonly boss: Account
  readonly named: Account
  readonly other: Account
  readonly channel: Channel
}
interface Permission {
  readonly setting: string
  readonly level: number
  /** Whether the channel is private, and neither of the two is subscribed. */
  readonly isClosed?: boolean
  /** Needs the permission. The person without it tries first. */
  act(who: Account, divided: Divided): Promise<Exchange>
  readonly does: string
}
const send = (who: Account, { id }: Channel, topic: string): Promise<Exchange> =>
  who.call('send-message', { type: 'stream', to: id, topic, content: 'May I?' })
/** The channel permissions that have an effect under all settings of the organization. */
const permissions: readonly Permission[] = [
  {
    setting: 'can_send_message_group',
    level: 333,
    does: 'posts in',
    act: (who, { channel }) => send(who, channel, 'given'),
  },
  {
    setting: 'can_create_topic_group',
    level: 441,
    does: 'starts a topic of',
    act: (who, { channel }) => send(who, channel, `topic of ${who.userId}`),
  },
  {
    setting: 'can_subscribe_group',
    level: 357,
    isClosed: true,
    does: 'joins',
    act: (who, { channel }) => who.call('subscribe', { subscriptions: [{ name: channel.name }] }),
  },
  {
    setting: 'can_remove_subscribers_group',
    level: 320,
    does: 'unsubscribes somebody from',
    act: (who, { channel, boss }) =>
      who.call('unsubscribe', { subscriptions: [channel.name], principals: [boss.userId] }),
  },
  {
    setting: 'can_delete_any_message_group',
    level: 407,
    does: 'deletes a message of somebody else in',
    act: async (who, { boss, channel }) =>
      who.call('delete-message', { message_id: await post(boss, channel, 'given', 'To be deleted.') }),
  },
  {
    setting: 'can_administer_channel_group',
    level: 325,
    does: 'archives',
    act: (who, { channel }) => who.call('archive-stream', { stream_id: channel.id }),
  },
]

export const checks: readonly Check[] = [
  effect(
    'update-stream',
    'changes of a channel are announced to everybody who may see it, and appear in all lists',
    async (t, shows, { user, other }) => {
      const channel = await t.channel(user)
      const message_id = await post(user, channel, 'before', 'Sent before.')
      // The server may cache this list.
      await fetchedInList(user, message_id)
      const queue = await listen(other, ['stream'], { ...capable })
      const [name, description] = [t.unique('renamed'), t.unique('described')]
      const settings: readonly (readonly [parameter: Values, property: string, value: unknown])[] = [
        [{ description: '' }, 'description', ''],
        [{ description }, 'description', description],
        [{ new_name: channel.name.toUpperCase() }, 'name', channel.name.toUpperCase()],
        [{ new_name: name }, 'name', name],
        ...(t.level < 392
          ? []
          : [[{ topics_policy: 'allow_empty_topic' }, 'topics_policy', 'allow_empty_topic'] as const]),
        [{ message_retention_days: '"unlimited"' }, 'message_retention_days', -1],
        [{ message_retention_days: '"realm_default"' }, 'message_retention_days', null],
      ]
      const owner = t.person('owner')
      for (const [parameter, property, value] of settings) {
        const done = await owner.call('update-stream', { stream_id: channel.id, ...parameter })
        if (!succeeds(shows, done, `${property} of channel ${channel.id} is changed`)) return
        const { event, exchange, lacked } = await queue.until({ type: 'stream', stream_id: channel.id, property })
        const says = `\`${property}\` of channel ${channel.id} as ${JSON.stringify(value)}`
        if (!shows(exchange, event !== undefined, `${says}; but ${lacked}`)) return
        shows(exchange, event?.value === value, says)
        if (property !== 'description') continue
        const html = value === '' ? '' : `<p>${value}</p>`
        shows(exchange, event?.rendered_description === html, `\`rendered_description\` is "${html}"`)
      }
      const listed = await other.must('get-streams')
      const found: Json = listOf(listed.body.streams).find((one: Json) => one.stream_id === channel.id)
      const own = await user.must('get-subscriptions')
      const rendered = ['rendered_description', `<p>${description}</p>`] as const
      const wanted = new Map([...settings.map(([, property, value]) => [property, value] as const), rendered])
      for (const [property, value] of wanted) {
        const says = `\`${property}\` of channel ${channel.id} is ${JSON.stringify(value)}`
        shows(listed, found?.[property] === value, says)
        shows(own, ownOf(own, channel)?.[property] === value, says)
      }
      for (const exchange of [await fetched(user, message_id), await fetchedInList(user, message_id)]) {
        const { display_recipient: shown } = messageOf(exchange)
        shows(exchange, shown === name, `\`display_recipient\` of message ${message_id} is "${name}"`)
      }
      const byName = await other.must('get-stream-id', { stream: name })
      shows(byName, byName.body.stream_id === channel.id, `channel ${channel.id}`)
      const former = await other.call('get-stream-id', { stream: channel.name })
      refuses(shows, former, `channel ${channel.id} is not called "${channel.name}" any more`)
      for (const new_name of [name, (await t.channel(user)).name.toUpperCase()]) {
        const taken = await owner.call('update-stream', { stream_id: channel.id, new_name })
        refuses(shows, taken, `there is a channel "${new_name}"`)
      }
    },
  ),
  effectNamed(
    'effects/update-stream/privacy',
    'a channel that becomes private disappears for non-subscribers, and reappears when it becomes public again',
    async (t, shows) => {
      const owner = t.person('owner')
      const [follower, stranger] = [await t.newUser(), await t.newUser()]
      const channel = await t.channel(owner, [follower])
      const message_id = await post(owner, channel, 'before', 'Sent before.')
      const stream_id = channel.id
      const inside = await listen(follower, ['stream', 'subscription'], { ...capable })
      const outside = await listen(stranger, ['stream', 'subscription'], { ...capable })
      for (const [is_private, wanted] of [
        [true, false],
        [false, true],
        [true, true],
        [false, true],
      ] as const) {
        const history = is_private ? { history_public_to_subscribers: wanted } : {}
        await owner.must('update-stream', { stream_id, is_private, ...history })
        const told = await inside.until({ type: 'stream', op: 'update', stream_id, property: 'invite_only' })
        const privacy = `\`invite_only\` of channel ${stream_id} as ${is_private}; but ${told.lacked}`
        if (!shows(told.exchange, told.event?.value === is_private, privacy)) return
        const isShared = told.event?.history_public_to_subscribers
        shows(told.exchange, isShared === wanted, `\`history_public_to_subscribers\` is ${wanted}`)
        shows(told.exchange, told.event?.is_web_public !== true, '`is_web_public` is not true: nobody asked for that')
        // Deployed servers announced this to nobody before level 349.
        if (t.level >= 349) {
          const op = is_private ? 'delete' : 'create'
          const isMeant = (event: Json): boolean =>
            event.type === 'stream' &&
            event.op === op &&
            (listOf(event.stream_ids).includes(stream_id) ||
              listOf(event.streams).some((one: Json) => one.stream_id === stream_id))
          const says = `channel ${stream_id} in a \`stream\` event ${op}`
          if (!(await heardOf(shows, outside, isMeant, says))) return
        }
        const message = await stranger.call('get-message', { message_id })
        const isRight = is_private ? isRefused(message) : message.status === 200
        const expected = `${is_private ? 'a refusal' : 'success'}: user ${stranger.userId} does not follow channel ${stream_id}`
        shows(message, isRight, expected)
        const mine = await follower.call('get-message', { message_id })
        succeeds(shows, mine, `user ${follower.userId} follows channel ${stream_id}`)
        const listed = await stranger.must('get-streams')
        const isListed = listOf(listed.body.streams).some((one: Json) => one.stream_id === stream_id)
        shows(listed, isListed === !is_private, `channel ${stream_id} is ${is_private ? 'not ' : ''}listed`)
      }
      // Now it is public.
      await owner.call('update-stream', { stream_id, history_public_to_subscribers: false })
      const listed = await follower.must('get-subscriptions')
      const isShared = ownOf(listed, channel)?.history_public_to_subscribers === true
      shows(listed, isShared, '`history_public_to_subscribers` is true, as of all public channels')
    },
  ),
  effectNamed(
    'effects/update-stream/permissions',
    'permissions of a channel change at once, if the caller knows the present value',
    async (t, shows, { user }) => {
      if (t.level < 333) t.leaveOut('before level 333 nobody is named who may post')
      const owner = t.person('owner')
      const channel = await t.channel(owner, [user])
      const only = { direct_members: [owner.userId], direct_subgroups: [] }
      const both = { direct_members: [owner.userId, user.userId], direct_subgroups: [] }
      const change = (value: object) =>
        owner.call('update-stream', { stream_id: channel.id, can_send_message_group: value })
      const sends = async (isAllowed: boolean): Promise<void> => {
        const sent = await user.call('send-message', { type: 'stream', to: channel.id, topic: 'x', content: 'May I?' })
        const says = `${isAllowed ? 'success' : 'a refusal'}: user ${user.userId} is ${isAllowed ? '' : 'not '}in \`can_send_message_group\``
        shows(sent, isAllowed ? sent.status === 200 : isRefused(sent), says)
      }
      await sends(true)
      const queue = await listen(user, ['stream'])
      const first = await change({ new: only })
      if (!shows(first, first.status === 200, 'success')) return
      const told = { op: 'update', stream_id: channel.id, property: 'can_send_message_group', value: only }
      await eventOf(shows, queue, told)
      await sends(false)
      refuses(shows, await change({ new: both, old: both }), '`old` is not the present value')
      await sends(false)
      if (!succeeds(shows, await change({ new: both, old: only }), '`old` is the present value')) return
      await sends(true)
      const own = await user.must('get-subscriptions')
      const value = ownOf(own, channel)?.can_send_message_group
      const isBoth = listOf(value?.direct_members).toSorted().join() === both.direct_members.toSorted().join()
      shows(own, isBoth, `\`can_send_message_group\` is ${JSON.stringify(both)}`)
    },
  ),
  {
    isCostly: true,
    ...effectNamed(
      'effects/subscribe/permissions',
      'a person in a permission group of a channel may act accordingly, and others may not',
      async (t, shows, { user: named, other }) => {
        if (t.level < 320) t.leaveOut('before level 320 permissions of channels name no people')
        for (const permission of permissions) {
          if (t.level >= permission.level) await divides(t, shows, permission, named, other)
        }
      },
    ),
  },
  effectNamed(
    'effects/subscribe/topics_policy',
    'a channel accepts the topics that its topics policy allows',
    async (t, shows, { user }) => {
      if (t.level < 404) t.leaveOut('before level 404 channels do not have all of the policies')
      const boss = t.person('owner')
      for (const [topics_policy, isEmptyTaken, isNamedTaken] of [
        ['allow_empty_topic', true, true],
        ['disable_empty_topic', false, true],
        ['empty_topic_only', true, false],
      ] as const) {
        const channel = await t.channel(boss, [user], false, { topics_policy })
        for (const [topic, isTaken] of [
          ['', isEmptyTaken],
          ['named', isNamedTaken],
        ] as const) {
          const exchange = await send(user, channel, topic)
          const says = `${isTaken ? 'success' : 'a refusal'} of the topic "${topic}", where \`topics_policy\` is ${topics_policy}`
          shows(exchange, isTaken ? exchange.status === 200 : isRefused(exchange), says)
        }
      }
    },
  ),
]

async function divides(t: CheckContext, shows: Shows, permission: Permission, named: Account, other: Account) {
  const { setting, isClosed = false, does, act } = permission
  const boss = t.person('owner')
  const wishes: Values = { [setting]: { direct_members: [named.userId, boss.userId], direct_subgroups: [] } }
  const channel = await t.channel(boss, isClosed ? [] : [named, other], isClosed, wishes)
  await post(boss, channel, 'given', 'A first message.')
  const divided = { boss, named, other, channel }
  const why = ({ userId }: Account, is: string) =>
    `user ${userId}, who ${is} in \`${setting}\`, ${does} channel ${channel.id}`
  refuses(shows, await act(other, divided), why(other, 'is not'))
  succeeds(shows, await act(named, divided), why(named, 'is'))
}

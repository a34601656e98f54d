import { type Account, operationNamed, type Values } from '../deployment/account.ts'
import { channelDescription } from '../deployment/deployment.ts'
import { described } from '../deployment/described.ts'
import type { Channel, NewChannel } from '../deployment/leaving.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isGroupSetting } from '../kernel/group-settings.ts'
import { isNow, post } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, isSetOf, type Json, listOf } from '../wire/values.ts'
import { quiet } from './moves.ts'

const base = { area: 'Subscription' } as const

/** `stream_post_policy` for each system group that may send messages. */
const postPolicies = [
  ['everyone', 1],
  ['administrators', 2],
  ['fullmembers', 3],
  ['moderators', 4],
] as const

export const checks: readonly WrittenCheck[] = [
  {
    ...base,
    id: 'subscriptions/channel',
    title: 'a subscription has the properties of its channel, and its owner’s settings',
    requirements: [
      ...['SUBS-3', 'SUB-FIELD-1', ...ids('SUB-FIELD', [3, 4, 5, 6, 7, 8, 9, 26, 27, 28, 29, 30, 32])],
      ...ids('SUB-FIELD', [16, 17, 18, 19, 20, 21, 22]),
      ...ids('SUB-FIELD', [34, 35, 36, 38, 39, 40, 48, 49]),
    ],
    async run(t) {
      const { reader, channel } = await people(t)
      const exchange = await reader.must('get-subscriptions', { include_subscribers: 'true' })
      const is = (id: string, holds: boolean, expected: string, part?: string): boolean =>
        t.that(id, exchange, holds, expected, part)
      const list: Json[] = exchange.body.subscriptions
      if (!is('SUBS-3', Array.isArray(list) && list.every(isObject), '`subscriptions` is an array of objects')) return
      const problem = t.deployment.answers.problem(
        operationNamed(t.deployment.contract, 'get-subscriptions'),
        exchange.status,
        exchange.body,
      )
      is('SUB-FIELD-1', problem === undefined, `every object has the fields of a subscription; but ${problem}`)
      const own = list.find((one) => one.name === channel.name)
      if (!is('SUB-FIELD-4', own !== undefined, `an object whose \`name\` is "${channel.name}"`)) return
      is('SUB-FIELD-3', own.stream_id === channel.id, `\`stream_id\` is ${channel.id}`)
      is('SUB-FIELD-5', own.description === channelDescription, `\`description\` is "${channelDescription}"`)
      const isHtml = String(own.rendered_description).includes('<strong>conformance</strong>')
      is('SUB-FIELD-6', isHtml, '`rendered_description` has `<strong>conformance</strong>`')
      is('SUB-FIELD-7', isNow(own.date_created, exchange), '`date_created` is the present second, an integer')
      is('SUB-FIELD-8', own.creator_id === channel.maker.userId, `\`creator_id\` is ${channel.maker.userId}`)
      is('SUB-FIELD-9', own.invite_only === false, '`invite_only` is false: the channel is public')
      is('SUB-FIELD-26', typeof own.is_announcement_only === 'boolean', '`is_announcement_only` is a boolean')
      is('SUB-FIELD-27', own.is_web_public === false, '`is_web_public` is false')
      is('SUB-FIELD-29', [1, 2, 3, 4].includes(own.stream_post_policy), '`stream_post_policy` is 1, 2, 3 or 4')
      is('SUB-FIELD-30', own.message_retention_days === null, '`message_retention_days` is null')
      is('SUB-FIELD-32', own.history_public_to_subscribers === true, '`history_public_to_subscribers` is true')
      is('SUB-FIELD-34', own.folder_id === null, '`folder_id` is null')
      for (const [id, name] of [
        ['SUB-FIELD-16', 'desktop_notifications'],
        ['SUB-FIELD-17', 'email_notifications'],
        ['SUB-FIELD-18', 'push_notifications'],
        ['SUB-FIELD-19', 'audible_notifications'],
        ['SUB-FIELD-20', 'wildcard_mentions_notify'],
      ] as const) {
        is(id, own[name] === null, `\`${name}\` is null: nothing was chosen for this channel yet`)
      }
      is('SUB-FIELD-21', own.pin_to_top === false, '`pin_to_top` is false')
      is('SUB-FIELD-22', own.is_muted === false, '`is_muted` is false')
      is('SUB-FIELD-28', /^#[0-9a-fA-F]{3,6}$/.test(own.color), '`color` is a string like "#76ce90"')
      const policies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']
      is('SUB-FIELD-35', policies.includes(own.topics_policy), `\`topics_policy\` is one of ${policies.join(', ')}`)
      is('SUB-FIELD-36', own.topics_policy === 'inherit', '`topics_policy` is "inherit"')
      is('SUB-FIELD-38', typeof own.is_recently_active === 'boolean', '`is_recently_active` is a boolean')
      const traffics = list.map((one) => one.stream_weekly_traffic)
      const areTraffics = traffics.every((one) => one === null || (Number.isInteger(one) && one >= 0))
      is('SUB-FIELD-39', areTraffics, 'every `stream_weekly_traffic` is a whole number or null')
      is('SUB-FIELD-40', own.stream_weekly_traffic === null, '`stream_weekly_traffic` is null: the channel is new')
      is('SUB-FIELD-48', own.is_archived === false, '`is_archived` is false', 'is_archived')
      is('SUB-FIELD-48', own.subscriber_count === 2, '`subscriber_count` is 2', 'subscriber_count')
      is('SUB-FIELD-49', !('email_address' in own), 'no `email_address`')
      is('SUB-FIELD-49', !('role' in own), 'no `role`')
    },
  },
  {
    id: 'subscriptions/creators',
    title: 'a subscription names the creator of its channel, also if that is another person',
    requirements: ['SUB-FIELD-8'],
    async run(t) {
      const { reader } = await people(t)
      const { body } = await reader.must('get-streams')
      const mine = listOf((await reader.must('get-subscriptions')).body.subscriptions)
      const joined = new Set(mine.map(({ stream_id }) => stream_id))
      const orphan = body.streams.find((one: Json) => one.creator_id === null)
      const isGuest = orphan !== undefined && !joined.has(orphan.stream_id)
      if (orphan === undefined) {
        t.remarks.add('SUB-FIELD-8: null is not observable here: each channel has a creator on record')
      } else if (isGuest) await reader.must('subscribe', { subscriptions: [{ name: orphan.name }] })
      // Other servers may not let bots create channels.
      const bot = t.isParley ? t.deployment.given.find(({ isBot }) => isBot) : undefined
      const made = bot && (await t.channel(bot, [reader]))
      const exchange = await reader.must('get-subscriptions')
      if (made) {
        const creator = ownOf(exchange, made)?.creator_id
        t.that('SUB-FIELD-8', exchange, creator === bot.userId, `\`creator_id\` of channel ${made.id} is the bot's`)
      }
      const known = new Set((await reader.must('get-users')).body.members.map((one: Json) => one.user_id))
      for (const { stream_id: id, creator_id: creator } of exchange.body.subscriptions) {
        const isSomebody = creator === null || known.has(creator)
        t.that('SUB-FIELD-8', exchange, isSomebody, `\`creator_id\` of channel ${id} is the ID of a user, or null`)
      }
      if (orphan === undefined) return
      const isNobody = ownOf(exchange, { id: orphan.stream_id })?.creator_id === null
      t.that('SUB-FIELD-8', exchange, isNobody, `\`creator_id\` of channel ${orphan.stream_id} is null`)
      if (isGuest) await reader.must('unsubscribe', { subscriptions: [orphan.name] })
    },
  },
  {
    id: 'subscriptions/web-public',
    title: 'a subscription says whether its channel is public on the web',
    requirements: ['SUB-FIELD-27'],
    async run(t) {
      const { reader } = await people(t)
      const maker = t.deployment.atLeast('administrator') ?? reader
      const name = t.unique('conformance')
      const made = await maker.call('subscribe', { subscriptions: [{ name }], is_web_public: true })
      const usual = await reader.must('get-subscriptions')
      const arePlain = usual.body.subscriptions.every((one: Json) => typeof one.is_web_public === 'boolean')
      t.that('SUB-FIELD-27', usual, arePlain, '`is_web_public` of each channel is a boolean')
      if (made.status !== 200 || made.body.ignored_parameters_unsupported?.includes('is_web_public')) {
        t.remarks.add('SUB-FIELD-27: true is not observable here: no web-public channel can be made')
        return
      }
      const exchange = await maker.must('get-subscriptions')
      const own = exchange.body.subscriptions.find((one: Json) => one.name === name)
      t.that('SUB-FIELD-27', exchange, own?.is_web_public === true, `\`is_web_public\` of "${name}" is true`)
    },
  },
  {
    ...base,
    id: 'subscriptions/groups',
    title: 'a subscription has the permissions of its channel',
    requirements: ['GSV-1', 'GSV-2', 'GSV-3', ...ids('SUB-FIELD', [26, 29, 41, 42, 43, 44, 47]), 'LEVEL-333'],
    async run(t) {
      const { creator, reader, channel } = await people(t)
      const plain = await reader.must('get-subscriptions')
      const usual = ownOf(plain, channel)
      const settings = Object.entries(usual ?? {}).filter(([name]) => /^can_\w+_group$/.test(name))
      const strange = settings.filter(([, value]) => !isGroupSetting(value)).map(([name]) => name)
      t.that('GSV-1', plain, strange.length === 0, `group-setting values: ${settings.map(([name]) => name).join()}`)
      for (const [id, name, part] of groupSettings) {
        t.that(id, plain, isGroupSetting(usual?.[name]), `\`${name}\` is a group-setting value`, part)
      }
      const hasBoth = isGroupSetting(usual?.can_send_message_group) && Number.isInteger(usual?.stream_post_policy)
      t.that('LEVEL-333', plain, hasBoth, '`can_send_message_group` and `stream_post_policy`')
      if (t.level >= 333) {
        const { body } = await described(reader, ['realm_user_groups'])
        for (const [role, policy] of postPolicies) {
          const id: unknown = listOf(body.realm_user_groups).find(({ name }) => name === `role:${role}`)?.id
          if (id === undefined) continue
          const limited = await t.channel(creator, [reader], false, { can_send_message_group: id })
          const exchange = await reader.must('get-subscriptions')
          const { stream_post_policy: has, is_announcement_only: isOnly } = ownOf(exchange, limited) ?? {}
          t.that('SUB-FIELD-29', exchange, has === policy, `\`stream_post_policy\` ${policy}: ${role} send messages`)
          const says = `\`is_announcement_only\` is ${policy === 2}: ${role} send messages`
          t.that('SUB-FIELD-26', exchange, isOnly === (policy === 2), says)
        }
      }
      if (t.level < 320) return
      const group = usual?.can_remove_subscribers_group
      const wanted = { direct_members: [creator.userId], direct_subgroups: Number.isInteger(group) ? [group] : [] }
      const other = await t.channel(creator, [reader], false, { can_remove_subscribers_group: wanted })
      const named = await reader.must('get-subscriptions')
      const value = ownOf(named, other)?.can_remove_subscribers_group
      const expected = `\`can_remove_subscribers_group\` is ${JSON.stringify(wanted)}`
      t.that('GSV-1', named, isObject(value), expected, 'object form')
      t.that('SUB-FIELD-42', named, isGroupSetting(value), expected, 'object form')
      t.that('GSV-2', named, isSetOf(value?.direct_members, wanted.direct_members), expected)
      t.that('GSV-3', named, isSetOf(value?.direct_subgroups, wanted.direct_subgroups), expected)
    },
  },
  {
    id: 'subscriptions/history',
    title: 'a subscription has the ID of the oldest message of its channel',
    requirements: ['SUB-FIELD-33'],
    async run(t) {
      const { creator, reader, channel } = await people(t)
      // The server may have announced the new channel in the channel.
      const isRight = async (one = channel): Promise<void> => {
        const oldest = await reader.must('get-messages', oldestOf(one))
        const first = oldest.body.messages[0]?.id ?? null
        const exchange = await reader.must('get-subscriptions')
        const has = ownOf(exchange, one)?.first_message_id
        t.that('SUB-FIELD-33', exchange, has === first, `\`first_message_id\` of channel ${one.id} is ${first}`)
      }
      await isRight()
      const message = { type: 'stream', to: channel.id, topic: 'history' }
      await creator.must('send-message', { ...message, content: 'First.' })
      await creator.must('send-message', { ...message, content: 'Second.' })
      await isRight()
      const admin = t.deployment.atLeast('administrator')
      if (admin === undefined) return
      const { body } = await reader.must('get-stream-topics', { stream_id: channel.id })
      for (const { name } of listOf(body.topics)) {
        await admin.must('delete-topic', { stream_id: channel.id, topic_name: name })
      }
      await isRight()
      if (!t.isParley) return
      const from = await t.channel(creator, [reader])
      const message_id = await post(creator, from, 'history', 'From elsewhere.')
      await admin.must('update-message', { message_id, stream_id: channel.id, ...quiet })
      for (const one of [channel, from]) await isRight(one)
    },
  },
  {
    id: 'subscriptions/unlimited',
    title: 'the retention of a channel is unlimited, the organization’s, or a number of days',
    requirements: ['SUB-FIELD-30', 'SUB-FIELD-31'],
    async run(t) {
      const creator = t.person('owner')
      for (const [id, asked, days] of [
        ['SUB-FIELD-31', 'unlimited', -1],
        ['SUB-FIELD-30', 'realm_default', null],
      ] as const) {
        const channel = await t.channel(creator, [], false, { message_retention_days: asked })
        const exchange = await creator.must('get-subscriptions')
        const has = ownOf(exchange, channel)?.message_retention_days
        t.that(id, exchange, has === days, `\`message_retention_days\` is ${days}, asked for as ${asked}`)
      }
    },
  },
]

const groupSettings = [
  ['SUB-FIELD-41', 'can_add_subscribers_group', undefined],
  ['SUB-FIELD-42', 'can_remove_subscribers_group', undefined],
  ['SUB-FIELD-43', 'can_administer_channel_group', undefined],
  ['SUB-FIELD-44', 'can_delete_any_message_group', undefined],
  ...[
    ...['can_subscribe_group', 'can_send_message_group', 'can_resolve_topics_group', 'can_create_topic_group'],
    ...['can_move_messages_out_of_channel_group', 'can_move_messages_within_channel_group'],
    'can_delete_own_message_group',
  ].map((name) => ['SUB-FIELD-47', name, name] as const),
] as const

async function people(t: CheckContext): Promise<{ creator: Account; reader: Account; channel: NewChannel }> {
  const { user: creator, other: reader } = await t.scene()
  return { creator, reader, channel: await t.channel(creator, [reader]) }
}

/** The subscription to `channel` in an answer of GET /users/me/subscriptions. */
export function ownOf({ body }: Exchange, { id }: Pick<Channel, 'id'>): Json {
  return listOf(body?.subscriptions).find((one) => one?.stream_id === id)
}

function oldestOf({ name }: Channel): Values {
  return { narrow: [{ operator: 'stream', operand: name }], anchor: 'oldest', num_before: 0, num_after: 1 }
}

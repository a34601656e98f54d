import type { Account, Values } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, type Heard, heardSoFar, listen } from '../../kernel/listening.ts'
import { post } from '../../kernel/messaging.ts'
import { changeSetting } from '../../kernel/subscription-setting.ts'
import type { Exchange } from '../../wire/http.ts'
import { type Json, listOf } from '../../wire/values.ts'

const types = ['message', 'delete_message', 'typing', 'stream', 'subscription']

/** A capability that changes events. */
interface Shown {
  readonly name: string
  /** The level that introduced it; default: all levels. */
  readonly level?: number
  /** Whether events have the form for clients with the capability; undefined if no events came. */
  is(heard: Heard, made: Made): boolean | undefined
  readonly says: string
}

interface Made {
  readonly archived: Channel
  readonly deletedId: number
}

const shown: readonly Shown[] = [
  {
    name: 'bulk_message_deletion',
    says: 'deletions with `message_ids`, and without it with `message_id`',
    is({ events }, { deletedId }) {
      const told = events.find(
        ({ type, message_id: one, message_ids: some }) =>
          type === 'delete_message' && (one === deletedId || some?.includes(deletedId)),
      )
      return told && told.message_ids?.join() === String(deletedId) && told.message_id === undefined
    },
  },
  {
    name: 'stream_typing_notifications',
    says: 'who types in a channel, and without it nothing',
    is: ({ events }) => events.some(({ type, message_type: place }) => type === 'typing' && place === 'stream'),
  },
  {
    name: 'archived_channels',
    level: 378,
    says: 'that a channel is archived, and without it that it is gone',
    is({ events }, { archived }) {
      const isTold = events.some(
        ({ type, op, stream_id: id, property, value }) =>
          type === 'stream' && op === 'update' && id === archived.id && property === 'is_archived' && value === true,
      )
      const isGone = events.some(
        ({ type, op, stream_ids: ids, streams }) =>
          type === 'stream' &&
          op === 'delete' &&
          [...(ids ?? []), ...listOf(streams).map(({ stream_id: id }: Json) => id)].includes(archived.id),
      )
      return isTold === isGone ? undefined : isTold
    },
  },
]

/** The effect of each client capability that no other check covers: one at a time, and without any. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/register-queue/capabilities',
    'each client capability changes the events of a client that has it',
    async (t, shows, { user, other, channel, topic }) => {
      const admin = t.person('administrator')
      const known = shown.filter(({ level = 0 }) => t.level >= level)
      const clients: readonly (string | undefined)[] = [undefined, ...known.map(({ name }) => name)]
      const archived = await t.channel(user, [other])
      const deletedId = await post(user, channel, topic, 'Go.')
      const opened = await Promise.all(
        clients.map((name) => listen(other, types, { client_capabilities: capable(name) })),
      )
      await user.must('set-typing-status', { op: 'start', type: 'stream', stream_id: channel.id, topic })
      await admin.must('delete-message', { message_id: deletedId })
      await admin.must('archive-stream', { stream_id: archived.id })
      const heard = await heardSoFar(shows, opened, user, other)
      for (const [index, one] of (heard ?? []).entries()) {
        for (const capability of known) {
          const isMeant = clients[index] === capability.name
          const has = capability.is(one, { archived, deletedId })
          const client = clients[index] ?? 'no capability'
          shows(one.exchange, has === isMeant, `with ${capability.name} ${capability.says}; this queue has ${client}`)
        }
      }
      if (t.level >= 315) await hasArchived(shows, other, archived)
    },
  ),
  effectNamed(
    'effects/register-queue/notification_settings_null',
    'notification settings are null only for clients with that capability',
    async (t, shows, { user }) => {
      const channel = await t.channel(user)
      const names = ['desktop', 'email', 'push', 'audible'].map((kind) => [
        `${kind}_notifications`,
        `enable_stream_${kind}_notifications`,
      ])
      for (const isOn of [true, false]) {
        await user.must('update-settings', { enable_stream_push_notifications: isOn })
        for (const client_capabilities of [undefined, { notification_settings_null: false }]) {
          const exchange = await subscriptionState(user, client_capabilities)
          const own = channelIn(exchange.body.subscriptions, channel)
          for (const [name = '', usual = ''] of [...names, ['wildcard_mentions_notify', 'wildcard_mentions_notify']]) {
            const wanted = exchange.body.user_settings?.[usual]
            if (wanted === undefined) continue
            const says = `\`${name}\` of channel ${channel.id} is ${wanted}, as \`${usual}\`: the client knows no null`
            shows(exchange, own?.[name] === wanted, says)
          }
        }
      }
      await user.must('update-settings', { enable_stream_push_notifications: true })
      await changeSetting(user, t.level, { stream_id: channel.id, property: 'push_notifications', value: false })
      const chosen = await subscriptionState(user, undefined)
      const isOff = channelIn(chosen.body.subscriptions, channel)?.push_notifications === false
      shows(chosen, isOff, `\`push_notifications\` of channel ${channel.id} is false, as was chosen for it`)
      const queue = await listen(user, ['subscription'])
      const untouched = await t.channel(user)
      const isOf = ({ op, subscriptions: all }: Json): boolean =>
        op === 'add' && channelIn(all, untouched) !== undefined
      const told = await eventOf(shows, queue, isOf)
      const isOn = channelIn(told?.event.subscriptions, untouched)?.push_notifications
      if (told)
        shows(told.exchange, isOn === true, '`push_notifications` of a new subscription is true, as chosen for all')
      const exchange = await subscriptionState(user, { notification_settings_null: true })
      const own = channelIn(exchange.body.subscriptions, untouched)
      for (const [name = ''] of names)
        shows(exchange, own?.[name] === null, `\`${name}\` of channel ${untouched.id} is null`)
      await user.must('update-settings', { enable_stream_push_notifications: false })
    },
  ),
]

function capable(name: string | undefined): Values {
  return { notification_settings_null: true, ...(name !== undefined && { [name]: true }) }
}

/** Lists contain an archived channel only for clients that know archived channels. */
async function hasArchived(shows: Shows, person: Account, channel: Channel): Promise<void> {
  for (const isKnown of [true, false]) {
    const exchange = await subscriptionState(person, capable(isKnown ? 'archived_channels' : undefined))
    const found = channelIn(exchange.body.subscriptions, channel)
    const isRight = isKnown ? found?.is_archived === true : found === undefined
    const says = isKnown ? 'with `is_archived` true: ' : 'not listed: without '
    shows(exchange, isRight, `channel ${channel.id} ${says}archived_channels`)
  }
}

function subscriptionState(person: Account, client_capabilities: Values | undefined): Promise<Exchange> {
  return person.must('register-queue', { event_types: ['subscription', 'user_settings'], client_capabilities })
}

function channelIn(list: unknown, { id }: Channel): Json {
  return listOf(list).find((one: Json) => one.stream_id === id)
}

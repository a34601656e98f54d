import type { Account } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { eventOf } from '../kernel/listening.ts'
import { changeSetting, hasOwnOperation } from '../kernel/subscription-setting.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json } from '../wire/values.ts'
import { by, refuses } from './outcomes.ts'
import { ownOf } from './subscriptions.ts'

/** Boolean settings that are returned under the same name. */
const switches = [
  ['SUB-7', 'is_muted'],
  ['SUB-9', 'pin_to_top'],
  ['SUB-10', 'desktop_notifications'],
  ['SUB-11', 'audible_notifications'],
  ['SUB-12', 'push_notifications'],
  ['SUB-13', 'email_notifications'],
  ['SUB-14', 'wildcard_mentions_notify'],
] as const
/** Text that even the most lenient server does not read as a boolean: no numbers, no words for yes or no. */
const nonsense = ['abc', '"abc"', 'null', '[true]', '2', 'tru']
const properties = ['color', 'in_home_view', ...switches.map(([, name]) => name)]

export const checks: readonly WrittenCheck[] = [
  {
    id: 'subscription-settings/set',
    title: 'settings of a subscription change for the caller only',
    requirements: ids('SUB', [1, 5, 7, 8, 9, 10, 11, 12, 13, 14, 19, 21]),
    async run(t) {
      const { reader, other, channel } = await people(t)
      const untouched = ownOf(await other.must('get-subscriptions'), channel)
      for (const isOn of [true, false]) {
        for (const [, property] of switches) await set(t, reader, channel, property, isOn)
        const exchange = await reader.must('get-subscriptions')
        const own = ownOf(exchange, channel)
        for (const [id, property] of switches) {
          t.that(id, exchange, own?.[property] === isOn, `\`${property}\` is ${isOn}`)
        }
        t.that('SUB-7', exchange, own?.in_home_view === !isOn, `\`in_home_view\` is ${!isOn}`)
      }
      for (const isShown of [false, true]) {
        await set(t, reader, channel, 'in_home_view', isShown)
        const exchange = await reader.must('get-subscriptions')
        const own = ownOf(exchange, channel)
        const isSet = own?.is_muted === !isShown && own.in_home_view === isShown
        t.that('SUB-8', exchange, isSet, `\`is_muted\` is ${!isShown} and \`in_home_view\` is ${isShown}`)
      }
      const color = untouched?.color === '#00ff7f' ? '#7f00ff' : '#00ff7f'
      const colored = await set(t, reader, channel, 'color', color)
      if (hasOwnOperation(t.level)) {
        t.that('SUB-1', colored, colored.status === 200, 'a change for the channel that the path names')
        t.bareSuccess('SUB-19', colored)
      }
      const exchange = await reader.must('get-subscriptions')
      t.that('SUB-5', exchange, ownOf(exchange, channel)?.color === color, `\`color\` is "${color}"`)
      const capital = await set(t, reader, channel, 'color', '#A1B2C3')
      const { color: taken } = ownOf(await reader.must('get-subscriptions'), channel) ?? {}
      t.that('SUB-5', capital, /^#a1b2c3$/i.test(String(taken)), 'success: "#A1B2C3" is the `color`')
      const others = await other.must('get-subscriptions')
      const now = ownOf(others, channel)
      const moved = properties.filter((property) => now?.[property] !== untouched?.[property])
      t.that('SUB-21', others, moved.length === 0, `the settings of another subscriber as before; changed: ${moved}`)
    },
  },
  {
    id: 'subscription-settings/refused',
    title: 'an impossible setting is refused',
    requirements: ids('SUB', [2, 3, 4, 6, 15, 22]),
    async run(t) {
      const { reader, other, channel } = await people(t)
      const before = ownOf(await reader.must('get-subscriptions'), channel)
      const change = (values: Readonly<Record<string, unknown>>): Promise<Exchange> =>
        reader.call('update-subscription-setting', { stream_id: channel.id, ...values })
      refuses(by(t, 'SUB-2'), await change({ value: true }), 'there is no `property`')
      refuses(by(t, 'SUB-3'), await change({ property: 'is_muted' }), 'there is no `value`')
      const says = (exchange: Exchange, msg: string): boolean => t.refusedWith('SUB-22', exchange, msg)
      for (const [id, property, value, msg] of [
        ['SUB-4', 'conformance', true, 'Unknown subscription property: conformance'],
        ['SUB-6', 'color', 'red', 'color is not a valid hex color code'],
        // Plain text is used as it is, including quotes (ENV-14).
        ['SUB-6', 'color', '"#ff0000"', 'color is not a valid hex color code'],
        ...['rgb(1,2,3)', '#ggg', '#ff000g', 'ff0000ff0'].map(
          (value) => ['SUB-6', 'color', value, 'color is not a valid hex color code'] as const,
        ),
        ...properties.flatMap((name) =>
          (name === 'color' ? [] : nonsense).map(
            (value) => ['SUB-15', name, value, `${name} is not a boolean`] as const,
          ),
        ),
      ] as const) {
        const exchange = await change({ property, value })
        t.that(id, exchange, isRefused(exchange), `a refusal of ${property} "${value}"`)
        says(exchange, msg)
      }
      const { id } = await t.channel(other)
      says(await change({ stream_id: id, property: 'is_muted', value: true }), `Not subscribed to channel ID ${id}`)
      for (const stream_id of [idOfNothing, 0]) {
        says(await change({ stream_id, property: 'is_muted', value: true }), 'Invalid channel ID')
      }
      const exchange = await reader.must('get-subscriptions')
      const after = ownOf(exchange, channel)
      const moved = properties.filter((property) => after?.[property] !== before?.[property])
      t.that('SUB-15', exchange, moved.length === 0, `everything as before; changed: ${moved}`)
    },
  },
  {
    id: 'subscription-settings/bulk',
    title: 'several settings are changed at once',
    requirements: ['SUB-20', 'REF-3'],
    also: ['update-subscription-settings'],
    async run(t) {
      const { reader, channel } = await people(t)
      const second = await t.channel(reader)
      const changes = [
        { stream_id: channel.id, property: 'pin_to_top', value: true },
        { stream_id: channel.id, property: 'color', value: '#00ff7f' },
        { stream_id: second.id, property: 'pin_to_top', value: true },
        { stream_id: second.id, property: 'in_home_view', value: false },
      ]
      const queue = await EventQueue.open(reader, { event_types: ['subscription'] })
      const changed = await reader.call('update-subscription-settings', { subscription_data: changes })
      if (!t.that('REF-3', changed, changed.status === 200, 'four changes of two channels')) return
      const exchange = await reader.must('get-subscriptions')
      for (const { stream_id: id, property, value } of changes) {
        const has = ownOf(exchange, { id })?.[property]
        t.that('SUB-20', exchange, has === value, `\`${property}\` of channel ${id} is ${value}`)
      }
      for (const change of changes) {
        const wanted = { type: 'subscription', op: 'update', ...change }
        if (!(await eventOf(by(t, 'update-subscription-settings'), queue, wanted))) return
      }
    },
  },
  {
    id: 'subscription-settings/events',
    title: 'a changed setting is announced once, and muting under both of its names',
    requirements: ['SUB-16', 'SUB-17', 'SUB-18', 'EV-OTHER-6'],
    async run(t) {
      const { reader, channel } = await people(t)
      await set(t, reader, channel, 'is_muted', false)
      await set(t, reader, channel, 'color', '#00ff7f')
      const queue = await EventQueue.open(reader, { event_types: ['subscription'] })
      await set(t, reader, channel, 'is_muted', true)
      await set(t, reader, channel, 'in_home_view', true)
      await set(t, reader, channel, 'pin_to_top', true)
      await set(t, reader, channel, 'color', '#7f00ff')
      const last = { type: 'subscription', op: 'update', stream_id: channel.id, property: 'color', value: '#7f00ff' }
      const { event, events, exchange, lacked } = await queue.until(last)
      const wanted = JSON.stringify(last)
      t.that('EV-OTHER-6', exchange, event !== undefined, `an event with ${wanted}; but ${lacked}`)
      const isOnce = (id: string, name: string, value: boolean): boolean => {
        const isThis = (one: Json): boolean => one.property === name && one.value === value
        const times = events.filter((one) => one.op === 'update' && one.stream_id === channel.id && isThis(one)).length
        return t.that(id, exchange, times === 1, `one event that \`${name}\` is ${value}; there are ${times}`)
      }
      isOnce('SUB-16', 'is_muted', true)
      isOnce('SUB-16', 'in_home_view', false)
      isOnce('SUB-17', 'in_home_view', true)
      isOnce('SUB-17', 'is_muted', false)
      isOnce('SUB-18', 'pin_to_top', true)
    },
  },
]

async function people(t: CheckContext): Promise<{ reader: Account; other: Account; channel: Channel }> {
  const { user: reader, other } = await t.scene()
  return { reader, other, channel: await t.channel(other, [reader]) }
}

function set({ level }: CheckContext, account: Account, { id }: Channel, property: string, value: unknown) {
  return changeSetting(account, level, { stream_id: id, property, value })
}

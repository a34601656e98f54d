import fc from 'fast-check'
import { changeSetting } from '../kernel/subscription-setting.ts'
import { type Ground, kind, some } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  subscribe: ({ channel }) => ({ subscriptions: [{ name: channel.name }] }),
  unsubscribe: async ({ user }, t) => ({ subscriptions: [(await t.channel(user)).name] }),
  // Guests may leave channels but only members may add them, so the contract allows guests only `delete`.
  'update-subscriptions': async ({ user }, t) => ({ delete: [(await t.channel(user)).name] }),
  'update-subscription-setting': ({ channel }) => ({ stream_id: channel.id, property: 'pin_to_top', value: true }),
  'update-subscription-settings': ({ channel }) => ({
    subscription_data: [{ stream_id: channel.id, property: 'pin_to_top', value: true }],
  }),
  'get-subscription-status': ({ user, channel }) => ({ user_id: user.userId, stream_id: channel.id }),
  'get-user-channels': ({ user }) => ({ user_id: user.userId }),
}

const switches = ['is_muted', 'pin_to_top', 'push_notifications', 'wildcard_mentions_notify']
const channels = ({ isOurs }: Ground) => fc.uniqueArray(some, { minLength: 1, maxLength: isOurs ? 2 : 1 })

export const actions = [
  kind(
    'subscribe',
    (ground) => ({
      channels: channels(ground),
      others: fc.uniqueArray(ground.who, ground.isOurs ? { maxLength: 3 } : { minLength: 1, maxLength: 1 }),
      ...(ground.isOurs && { byEmail: fc.boolean() }),
    }),
    (world, { who, channels, others, byEmail }) =>
      world.person(who).call('subscribe', {
        subscriptions: channels.map((number) => ({ name: world.channel(number).name })),
        principals: others.length > 0 ? world.named(others, byEmail) : undefined,
      }),
    { weight: 4 },
  ),
  kind(
    'unsubscribe',
    (ground) => ({
      channels: channels(ground),
      ...(ground.isOurs && { others: fc.uniqueArray(ground.who, { maxLength: 3 }), byEmail: fc.boolean() }),
    }),
    (world, { who, channels, others = [], byEmail }) =>
      world.person(who).call('unsubscribe', {
        subscriptions: channels.map((number) => world.channel(number).name),
        principals: others.length > 0 ? world.named(others, byEmail) : undefined,
      }),
    { weight: 3 },
  ),
  kind(
    'change subscription',
    ({ isOurs, observer }) => ({
      who: observer,
      channel: some,
      change: fc.oneof(
        fc.record({
          property: fc.constantFrom(...switches, ...(isOurs ? ['is_muted', 'in_home_view'] : [])),
          // Usually different from the initial value.
          value: fc.constantFrom(true, true, false),
        }),
        fc.record({ property: fc.constant('color'), value: fc.constantFrom('#1a2b3c', '#445566') }),
      ),
      ...(isOurs && { inBulk: fc.boolean() }),
    }),
    (world, { who, channel, change, inBulk }) => {
      const level = inBulk ? 0 : world.level
      return changeSetting(world.person(who), level, { stream_id: world.channel(channel).id, ...change })
    },
    { weight: 4 },
  ),
]

import type { Requests } from './right-request.ts'

export const requests: Requests = {
  subscribe: ({ channel }) => ({ subscriptions: [{ name: channel.name }] }),
  unsubscribe: async ({ user }, t) => ({ subscriptions: [(await t.channel(user)).name] }),
  // Guests may leave what they follow, while adding is for members, so only `delete` is open to the role in the
  // contract.
  'update-subscriptions': async ({ user }, t) => ({ delete: [(await t.channel(user)).name] }),
  'update-subscription-setting': ({ channel }) => ({ stream_id: channel.id, property: 'pin_to_top', value: true }),
  'update-subscription-settings': ({ channel }) => ({
    subscription_data: [{ stream_id: channel.id, property: 'pin_to_top', value: true }],
  }),
  'get-subscription-status': ({ user, channel }) => ({ user_id: user.userId, stream_id: channel.id }),
  'get-user-channels': ({ user }) => ({ user_id: user.userId }),
}

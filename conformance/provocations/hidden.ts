import type { Values } from '../deployment/account.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Act } from './acts.ts'
import { idOfNothing } from './provocation.ts'

/** Everything that can be done to a message, by somebody who may not know that it exists. */
export function actsOnMessage(message_id: number): Act[] {
  const act = (operation: string, values: Values = {}): Act => ({
    ...{ operation, values: { ...values, message_id } },
    absent: { message_id: idOfNothing },
  })
  const mark = { messages: [message_id], op: 'add', flag: 'starred' }
  return [
    act('get-message'),
    act('get-message-history'),
    act('get-read-receipts'),
    act('add-reaction', { emoji_name: 'octopus' }),
    act('remove-reaction', { emoji_name: 'tada' }),
    act('update-message', { content: 'Not mine.' }),
    act('update-message', { topic: 'elsewhere' }),
    act('delete-message'),
    act('set-typing-status-for-edit', { op: 'start' }),
    act('add-submessage', { msg_type: 'widget', content: '{"type":"vote"}' }),
    {
      ...{ operation: 'check-messages-match-narrow', isPassedOver: true },
      values: { msg_ids: [message_id], narrow: [] },
      absent: { msg_ids: [idOfNothing] },
    },
    {
      ...{ operation: 'get-messages', values: { message_ids: [message_id] }, absent: { message_ids: [idOfNothing] } },
      isPassedOver: true,
    },
    {
      ...{ operation: 'update-message-flags', values: mark, absent: { messages: [idOfNothing] } },
      ...{ isPassedOver: true, isToldApart: true },
    },
  ]
}

/** Everything that can be done to a channel, by somebody who may not know that it exists. */
export function actsOnChannel({ id, name }: Channel, topic: string, follower: number, absentName: string): Act[] {
  const act = (operation: string, values: Values = {}): Act => ({
    ...{ operation, values: { ...values, stream_id: id } },
    absent: { stream_id: idOfNothing },
  })
  const message = { type: 'stream', topic, content: 'Who is there?' }
  return [
    act('get-stream'),
    act('get-subscribers'),
    act('get-stream-email-address'),
    act('get-stream-topics'),
    act('get-subscription-status', { user_id: follower }),
    act('archive-stream'),
    act('mark-stream-as-read'),
    act('mark-topic-as-read', { topic_name: topic }),
    act('update-user-topic', { topic, visibility_policy: 1 }),
    { ...act('mute-topic', { topic, op: 'add' }), isToldApart: true },
    act('update-subscription-setting', { property: 'is_muted', value: true }),
    {
      ...{ operation: 'update-subscription-settings', isToldApart: true },
      values: { subscription_data: [{ stream_id: id, property: 'is_muted', value: true }] },
      absent: { subscription_data: [{ stream_id: idOfNothing, property: 'is_muted', value: true }] },
    },
    { ...act('set-typing-status', { op: 'start', type: 'stream', topic }), isToldApart: true },
    {
      ...{ operation: 'send-message', values: { ...message, to: id }, absent: { to: idOfNothing } },
      isToldApart: true,
    },
    { operation: 'send-message', values: { ...message, to: name }, absent: { to: absentName }, isToldApart: true },
    { operation: 'get-stream-id', values: { stream: name }, absent: { stream: absentName } },
    {
      ...{ operation: 'unsubscribe', values: { subscriptions: [name] }, absent: { subscriptions: [absentName] } },
      isToldApart: true,
    },
  ]
}

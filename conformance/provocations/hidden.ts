import { FAR_AWAY } from '../acts/scheduled-messages.ts'
import type { Values } from '../deployment/account.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Act } from './acts.ts'
import { idOfNothing } from './provocation.ts'

/** Makes acts on what `named` identifies, or, with `absent` instead, on nothing. */
function actsOn(named: Values, absent: Values) {
  return (operation: string, values: Values = {}): Act => ({ operation, values: { ...values, ...named }, absent })
}

/** Everything that can be done to a message, by somebody who may not know that it exists. */
export function actsOnMessage(message_id: number): Act[] {
  const act = actsOn({ message_id }, { message_id: idOfNothing })
  const inList = (name: string) => actsOn({ [name]: [message_id] }, { [name]: [idOfNothing] })
  return [
    act('get-message'),
    act('get-message-history'),
    act('get-read-receipts'),
    act('add-reaction', { emoji_name: 'octopus' }),
    act('remove-reaction', { emoji_name: 'tada' }),
    act('update-message', { content: 'Not mine.' }),
    act('update-message', { topic: 'elsewhere' }),
    act('delete-message'),
    act('create-reminder', { scheduled_delivery_timestamp: FAR_AWAY }),
    act('set-typing-status-for-edit', { op: 'start' }),
    act('add-submessage', { msg_type: 'widget', content: '{"type":"vote"}' }),
    { ...inList('msg_ids')('check-messages-match-narrow', { narrow: [] }), isPassedOver: true },
    { ...inList('message_ids')('get-messages'), isPassedOver: true },
    {
      ...inList('messages')('update-message-flags', { op: 'add', flag: 'starred' }),
      isPassedOver: true,
      isToldApart: true,
    },
  ]
}

/** Everything that can be done to a channel, by somebody who may not know that it exists. */
export function actsOnChannel({ id, name }: Channel, topic: string, follower: number, absentName: string): Act[] {
  const act = actsOn({ stream_id: id }, { stream_id: idOfNothing })
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
      operation: 'update-subscription-settings',
      isToldApart: true,
      values: { subscription_data: [{ stream_id: id, property: 'is_muted', value: true }] },
      absent: { subscription_data: [{ stream_id: idOfNothing, property: 'is_muted', value: true }] },
    },
    { ...act('set-typing-status', { op: 'start', type: 'stream', topic }), isToldApart: true },
    { ...actsOn({ to: id }, { to: idOfNothing })('send-message', message), isToldApart: true },
    { ...actsOn({ to: name }, { to: absentName })('send-message', message), isToldApart: true },
    actsOn({ stream: name }, { stream: absentName })('get-stream-id'),
    { ...actsOn({ subscriptions: [name] }, { subscriptions: [absentName] })('unsubscribe'), isToldApart: true },
  ]
}

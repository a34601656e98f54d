import fc from 'fast-check'
import { addOrRemove, kind, nothing, ourKind, some } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-message-flags': ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'starred' }),
  'update-message-flags-for-narrow': ({ messageId }) => ({
    anchor: messageId,
    num_before: 0,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'starred',
  }),
  'mark-stream-as-read': ({ channel }) => ({ stream_id: channel.id }),
  'mark-topic-as-read': ({ channel, topic }) => ({ stream_id: channel.id, topic_name: topic }),
}

export const actions = [
  kind(
    'flag',
    ({ isOurs, observer }) => ({
      who: observer,
      messages: fc.uniqueArray(isOurs ? fc.nat({ max: 30 }) : some, { minLength: 1, maxLength: isOurs ? 20 : 4 }),
      op: addOrRemove,
      flag: fc.constantFrom('read', 'starred', ...(isOurs ? ['read', 'collapsed'] : [])),
    }),
    (world, { who, messages, op, flag }) => {
      const ids = new Set(messages.flatMap((number) => world.message(number)?.id ?? []))
      if (ids.size === 0) return undefined
      return world.person(who).call('update-message-flags', { messages: [...ids], op, flag })
    },
    { weight: 6 },
  ),
  kind(
    'flag narrow',
    () => ({ channel: some, op: addOrRemove, flag: fc.constantFrom('read', 'starred') }),
    (world, { who, channel, op, flag }) => {
      const narrow = [{ operator: 'channel', operand: world.channel(channel).id }]
      const range = { anchor: 'newest', num_before: 100, num_after: 0 }
      return world.person(who).call('update-message-flags-for-narrow', { ...range, narrow, op, flag })
    },
  ),
  kind(
    'mark channel read',
    () => ({ channel: some }),
    (world, { who, channel }) =>
      world.person(who).call('mark-stream-as-read', { stream_id: world.channel(channel).id }),
  ),
  kind(
    'mark topic read',
    ({ topic }) => ({ channel: some, topic }),
    (world, { who, channel, topic: topic_name }) =>
      world.person(who).call('mark-topic-as-read', { stream_id: world.channel(channel).id, topic_name }),
  ),
  ourKind('mark everything read', nothing, (world, { who }) => world.person(who).call('mark-all-as-read')),
]

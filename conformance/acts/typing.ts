import fc from 'fast-check'
import { kind, ourKind, some, startOrStop } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'set-typing-status': ({ other }) => ({ op: 'start', type: 'direct', to: [other.userId] }),
  'set-typing-status-for-edit': ({ messageId }) => ({ message_id: messageId, op: 'start' }),
}

export const actions = [
  kind(
    'type',
    () => ({ op: startOrStop, channel: some }),
    (world, { who, op, channel }) => {
      const values = { type: 'stream', stream_id: world.channel(channel).id, topic: 'lunch' }
      return world.person(who).call('set-typing-status', { op, ...values })
    },
  ),
  kind(
    'type directly',
    ({ isOurs, who }) => ({
      op: startOrStop,
      others: fc.uniqueArray(who, { minLength: 1, maxLength: isOurs ? 3 : 1 }),
    }),
    (world, { who, op, others }) =>
      world.person(who).call('set-typing-status', { op, type: 'direct', to: world.named(others) }),
  ),
  ourKind(
    'type in edit',
    () => ({ op: startOrStop, message: some }),
    (world, { op, message }) => {
      const { id, author } = world.message(message) ?? {}
      return author?.call('set-typing-status-for-edit', { message_id: id, op })
    },
  ),
]

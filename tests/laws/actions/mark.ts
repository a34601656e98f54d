import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

interface MarkMessages {
  readonly kind: 'mark messages' | 'mark a narrow'
  readonly actor: Person
  readonly messages: readonly number[]
  readonly channel: number
  readonly op: 'add' | 'remove'
  readonly flag: 'read' | 'starred' | 'collapsed'
}
interface ReadAtOnce {
  readonly kind: 'read everything' | 'read a channel' | 'read a topic'
  readonly actor: Person
  readonly channel: number
  readonly topic: string
}

export const markMessages: ActionKind<MarkMessages> = {
  kinds: ['mark messages', 'mark a narrow'],
  weight: 14,
  any: fc.record({
    kind: fc.constantFrom('mark messages' as const, 'mark messages' as const, 'mark a narrow' as const),
    actor: fc.constantFrom(...PEOPLE),
    messages: fc.uniqueArray(fc.nat({ max: 30 }), { minLength: 4, maxLength: 20 }),
    channel: fc.nat({ max: 5 }),
    op: fc.constantFrom('add' as const, 'remove' as const),
    flag: fc.constantFrom('read' as const, 'read' as const, 'starred' as const, 'collapsed' as const),
  }),
  request(run, { kind, actor, messages, channel, op, flag }) {
    const ids = messages.map((number) => run.message(number))
    if (kind === 'mark messages') return run.as(actor).post('/messages/flags', { messages: ids, op, flag })
    return run.as(actor).post('/messages/flags/narrow', {
      anchor: ids[0],
      num_before: 2,
      num_after: 2,
      narrow: [{ operator: 'channel', operand: run.channel(channel)?.id ?? 0 }],
      op,
      flag,
    })
  },
}

export const readAtOnce: ActionKind<ReadAtOnce> = {
  kinds: ['read everything', 'read a channel', 'read a topic'],
  weight: 3,
  any: fc.record({
    kind: fc.constantFrom('read everything' as const, 'read a channel' as const, 'read a topic' as const),
    actor: fc.constantFrom(...PEOPLE),
    channel: fc.nat({ max: 5 }),
    topic: fc.constantFrom('lunch', 'PLANS', ''),
  }),
  request(run, { kind, actor, channel, topic }) {
    const id = run.channel(channel)?.id ?? 0
    switch (kind) {
      case 'read everything':
        return run.as(actor).post('/mark_all_as_read')
      case 'read a channel':
        return run.as(actor).post('/mark_stream_as_read', { stream_id: id })
      case 'read a topic':
        return run.as(actor).post('/mark_topic_as_read', { stream_id: id, topic_name: topic })
      default:
        return kind satisfies never
    }
  },
}

import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface Type {
  readonly kind: 'type in channel' | 'type directly' | 'type in edit'
  readonly actor: Person
  readonly op: 'start' | 'stop'
  readonly others: readonly Person[]
  /** Which channel, or which message. */
  readonly number: number
}

export const type: ActionKind<Type> = {
  kinds: ['type in channel', 'type directly', 'type in edit'],
  weight: 3,
  any: fc.record({
    kind: fc.constantFrom('type in channel', 'type directly', 'type in edit'),
    actor: fc.constantFrom(...PEOPLE),
    op: fc.constantFrom('start', 'stop'),
    others: fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 3 }),
    number: fc.nat({ max: 20 }),
  }),
  request(run, { kind, actor, op, others, number }) {
    if (kind === 'type directly') return run.as(actor).post('/typing', { op, to: run.named(others, false) })
    if (kind === 'type in channel') {
      const channel = { type: 'channel', stream_id: run.channel(number)?.id ?? 0, topic: 'lunch' }
      return run.as(actor).post('/typing', { op, ...channel })
    }
    const id = run.message(number)
    return run.as(run.authors.get(id) ?? actor).post(`/messages/${id}/typing`, { op })
  },
}

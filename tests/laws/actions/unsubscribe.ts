import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface Unsubscribe {
  readonly kind: 'unsubscribe oneself' | 'unsubscribe others'
  readonly actor: Person
  readonly channels: readonly number[]
  readonly others: readonly Person[]
  readonly byEmail: boolean
}

export const unsubscribe: ActionKind<Unsubscribe> = {
  kinds: ['unsubscribe oneself', 'unsubscribe others'],
  weight: 4,
  any: fc
    .record({
      actor: fc.constantFrom(...PEOPLE),
      channels: fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 2 }),
      others: fc.uniqueArray(fc.constantFrom(...PEOPLE), { maxLength: 3 }),
      byEmail: fc.boolean(),
    })
    .map((action) => ({ kind: action.others.length === 0 ? 'unsubscribe oneself' : 'unsubscribe others', ...action })),
  request(run, { actor, channels, others, byEmail }) {
    return run.as(actor).delete('/users/me/subscriptions', {
      subscriptions: channels.map((number) => run.channel(number)?.name ?? 'no such channel'),
      ...(others.length > 0 && { principals: run.named(others, byEmail) }),
    })
  },
}

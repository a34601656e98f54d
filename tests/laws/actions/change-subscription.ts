import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface ChangeSubscription {
  readonly kind: 'change subscription'
  readonly actor: Person
  readonly channel: number
  readonly inBulk: boolean
  readonly change: { readonly property: string; readonly value: boolean | string }
}

const SWITCHES = [
  'is_muted',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'email_notifications',
  'wildcard_mentions_notify',
]

export const changeSubscription: ActionKind<ChangeSubscription> = {
  kinds: ['change subscription'],
  weight: 3,
  any: fc.record({
    kind: fc.constant('change subscription' as const),
    actor: fc.constantFrom(...PEOPLE),
    channel: fc.nat({ max: 5 }),
    inBulk: fc.boolean(),
    change: fc.oneof(
      { weight: 4, arbitrary: fc.record({ property: fc.constantFrom(...SWITCHES), value: fc.boolean() }) },
      fc.record({ property: fc.constant('color'), value: fc.constantFrom('#1a2B3c', '#fff', 'red') }),
    ),
  }),
  request(run, { actor, channel, inBulk, change }) {
    const id = run.channel(channel)?.id ?? 2_000_000_000
    if (!inBulk) return run.as(actor).request('PATCH', `/users/me/subscriptions/${id}`, change)
    const subscription_data = [{ stream_id: id, ...change }]
    return run.as(actor).post('/users/me/subscriptions/properties', { subscription_data })
  },
}

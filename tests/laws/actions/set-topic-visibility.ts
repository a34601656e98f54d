import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'
import { PLAIN_TOPICS } from './send.ts'

export interface SetTopicVisibility {
  readonly kind: 'set topic visibility' | 'mute topic'
  readonly actor: Person
  readonly channel: number
  readonly topic: string
  readonly policy: number
}

export const setTopicVisibility: ActionKind<SetTopicVisibility> = {
  kinds: ['set topic visibility', 'mute topic'],
  weight: 4,
  any: fc.record({
    kind: fc.constantFrom('set topic visibility' as const, 'set topic visibility' as const, 'mute topic' as const),
    actor: fc.constantFrom(...PEOPLE),
    channel: fc.nat({ max: 5 }),
    topic: fc.constantFrom(...PLAIN_TOPICS),
    policy: fc.nat({ max: 3 }),
  }),
  request(run, { kind, actor, channel, topic, policy }) {
    const made = run.channel(channel)
    const id = made?.id ?? 2_000_000_000
    if (kind === 'set topic visibility') {
      return run.as(actor).post('/user_topics', { stream_id: id, topic, visibility_policy: policy })
    }
    const op = policy % 2 === 0 ? 'add' : 'remove'
    return run.as(actor).request('PATCH', '/users/me/subscriptions/muted_topics', { stream_id: id, topic, op })
  },
}

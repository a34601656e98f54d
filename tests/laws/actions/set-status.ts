import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface SetStatus {
  readonly kind: 'set own status' | "set somebody's status"
  readonly actor: Person
  readonly other: Person
  readonly parameters: {
    readonly status_text?: string | undefined
    readonly emoji_name?: string | undefined
    readonly away?: boolean | undefined
  }
}

export const setStatus: ActionKind<SetStatus> = {
  kinds: ['set own status', "set somebody's status"],
  weight: 2,
  any: fc.record({
    kind: fc.constantFrom('set own status' as const, "set somebody's status" as const),
    // Administrators more often: only they may set somebody's.
    actor: fc.constantFrom<Person>(...PEOPLE, 'owner', 'owner', 'admin', 'admin'),
    other: fc.constantFrom(...PEOPLE),
    parameters: fc.record({
      status_text: fc.constantFrom(undefined, '', 'on vacation', ' at 家 '),
      emoji_name: fc.constantFrom(undefined, '', 'palm_tree', 'zulip'),
      away: fc.constantFrom(undefined, true, false),
    }),
  }),
  request(run, { kind, actor, other, parameters: { away, ...parameters } }) {
    if (kind === 'set own status') return run.as(actor).post('/users/me/status', { away, ...parameters })
    return run.as(actor).post(`/users/${run.as(other).userId}/status`, parameters)
  },
}

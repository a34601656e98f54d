import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface ArchiveChannel {
  readonly kind: 'archive channel'
  readonly actor: Person
  readonly channel: number
}

export const archiveChannel: ActionKind<ArchiveChannel> = {
  kinds: ['archive channel'],
  weight: 1,
  any: fc.record({
    kind: fc.constant('archive channel' as const),
    actor: fc.constantFrom(...PEOPLE, 'owner', 'admin'),
    channel: fc.nat({ max: 5 }),
  }),
  request: (run, { actor, channel }) => run.as(actor).delete(`/streams/${run.channel(channel)?.id ?? 2_000_000_000}`),
}

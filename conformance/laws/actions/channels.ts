import fc from 'fast-check'
import { type Action, kind, some } from '../action-kind.ts'
import type { NewChannel } from '../world.ts'

export type CreateChannel = Action & NewChannel
export interface ArchiveChannel extends Action {
  readonly channel: number
}

export const actions = [
  kind<Omit<NewChannel, 'who'>>(
    'create channel',
    2,
    ({ isOurs, who, name }) => ({
      ...{ name, others: fc.uniqueArray(who, { maxLength: isOurs ? 3 : 2 }), isPrivate: fc.boolean() },
      ...(isOurs && {
        byEmail: fc.boolean(),
        sharesHistory: fc.constantFrom(true, false, undefined),
        openedBy: fc.constantFrom(undefined, 'can_subscribe_group' as const, 'can_add_subscribers_group' as const),
        openTo: fc.uniqueArray(who, { maxLength: 3 }),
        openToNewcomer: fc.boolean(),
      }),
    }),
    (world, action) => world.makeChannel(action),
  ),
  kind(
    'archive channel',
    1,
    ({ who, manager }) => ({ who: fc.oneof(who, manager), channel: some }),
    (world, { who, channel }) => world.person(who).call('archive-stream', { stream_id: world.channel(channel).id }),
    { isOurs: true },
  ),
]

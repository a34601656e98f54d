import fc from 'fast-check'
import { type Action, kind, some } from '../laws/action-kind.ts'
import type { NewChannel } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'create-channel': ({ user }, t) => ({ name: t.unique('conformance'), subscribers: [user.userId] }),
  'get-stream': ({ channel }) => ({ stream_id: channel.id }),
  'get-stream-id': ({ channel }) => ({ stream: channel.name }),
  'get-stream-topics': ({ channel }) => ({ stream_id: channel.id }),
  'get-subscribers': ({ channel }) => ({ stream_id: channel.id }),
  'archive-stream': async ({ user }, t) => {
    const channel = await t.channel(user)
    t.deployment.forget(channel) // archived a second time, it would look like one that stays
    return { as: t.person('administrator'), values: { stream_id: channel.id } }
  },
}

export type CreateChannel = Action & NewChannel
/** By its own operation, which makes it for others, too. */
export interface MakeChannel {
  readonly followers: readonly number[]
  readonly isPrivate: boolean
}
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
  kind<MakeChannel>(
    'make channel',
    2,
    ({ who }) => ({ followers: fc.uniqueArray(who, { maxLength: 4 }), isPrivate: fc.boolean() }),
    async (world, { who, followers, isPrivate }) => {
      const name = world.unique('conformance')
      const values = { name, subscribers: world.named(followers), invite_only: isPrivate }
      const made = await world.person(who).call('create-channel', values)
      if (made.status === 200) world.channels.push({ id: made.body.id, name, isPrivate, spellings: [] })
      return made
    },
    { isOurs: true },
  ),
  kind(
    'archive channel',
    1,
    ({ who, manager }) => ({ who: fc.oneof(who, manager), channel: some }),
    (world, { who, channel }) => world.person(who).call('archive-stream', { stream_id: world.channel(channel).id }),
    { isOurs: true },
  ),
]

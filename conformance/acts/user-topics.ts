import fc from 'fast-check'
import { addOrRemove, kind, ourKind, some } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-user-topic': ({ channel, topic }) => ({ stream_id: channel.id, topic, visibility_policy: 3 }),
  'mute-topic': async ({ user, channel }, t) => ({
    stream_id: channel.id,
    topic: t.unique(user.fullName).slice(-40),
    op: 'add',
  }),
}

export const actions = [
  kind(
    'change topic policy',
    ({ observer, topic }) => ({
      who: observer,
      channel: some,
      topic,
      visibility_policy: fc.constantFrom(0, 1, 2, 3),
    }),
    (world, { who, channel, topic, visibility_policy }) => {
      const stream_id = world.channel(channel).id
      return world.person(who).call('update-user-topic', { stream_id, topic, visibility_policy })
    },
    { weight: 4 },
  ),
  ourKind(
    'mute topic',
    ({ topic }) => ({ channel: some, topic, op: addOrRemove }),
    (world, { who, channel, topic, op }) =>
      world.person(who).call('mute-topic', { stream_id: world.channel(channel).id, topic, op }),
  ),
]

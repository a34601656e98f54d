import fc from 'fast-check'
import { addOrRemove, kind, some } from '../action-kind.ts'

export const actions = [
  kind(
    'change topic policy',
    4,
    ({ observer, topic }) => ({
      ...{ who: observer, channel: some, topic, visibility_policy: fc.constantFrom(0, 1, 2, 3) },
    }),
    (world, { who, channel, topic, visibility_policy }) => {
      const stream_id = world.channel(channel).id
      return world.person(who).call('update-user-topic', { stream_id, topic, visibility_policy })
    },
    { since: 170 },
  ),
  kind(
    'mute topic',
    1,
    ({ topic }) => ({ channel: some, topic, op: addOrRemove }),
    (world, { who, channel, topic, op }) =>
      world.person(who).call('mute-topic', { stream_id: world.channel(channel).id, topic, op }),
    { isOurs: true },
  ),
]

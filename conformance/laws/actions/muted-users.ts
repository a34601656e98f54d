import fc from 'fast-check'
import { kind } from '../action-kind.ts'

export const actions = [
  kind(
    'mute user',
    1,
    ({ observer, who }) => ({ who: observer, other: who, isMuted: fc.boolean() }),
    (world, { who, other, isMuted }) => {
      const muted_user_id = world.person(other).userId
      return world.person(who).call(isMuted ? 'mute-user' : 'unmute-user', { muted_user_id })
    },
  ),
]

import fc from 'fast-check'
import { kind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'mute-user': async (_, t) => ({ muted_user_id: (await t.newUser()).userId }),
  'unmute-user': async ({ user }, t) => {
    const values = { muted_user_id: (await t.newUser()).userId }
    await user.must('mute-user', values)
    return values
  },
}

export const actions = [
  kind(
    'mute user',
    ({ observer, who }) => ({ who: observer, other: who, isMuted: fc.boolean() }),
    (world, { who, other, isMuted }) => {
      const muted_user_id = world.person(other).userId
      return world.person(who).call(isMuted ? 'mute-user' : 'unmute-user', { muted_user_id })
    },
  ),
]

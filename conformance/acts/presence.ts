import fc from 'fast-check'
import { kind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-presence': () => ({ status: 'active' }),
  'get-presence': async ({ other }) => {
    await other.must('update-presence', { status: 'active' })
    return { user_id_or_email: other.userId }
  },
}

export const actions = [
  kind(
    'report presence',
    ({ isOurs }) => ({ ...(isOurs && { status: fc.constantFrom('active', 'idle') }) }),
    (world, { who, status = 'active' }) => world.person(who).call('update-presence', { status, ping_only: true }),
  ),
]

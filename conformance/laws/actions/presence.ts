import fc from 'fast-check'
import { kind } from '../action-kind.ts'

export const actions = [
  kind(
    'report presence',
    1,
    ({ isOurs }) => ({ ...(isOurs && { status: fc.constantFrom('active', 'idle') }) }),
    (world, { who, status = 'active' }) => world.person(who).call('update-presence', { status, ping_only: true }),
  ),
]

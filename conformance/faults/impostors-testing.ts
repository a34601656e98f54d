import type { SeededFault } from '../testing.ts'
import { succeed } from './changes-testing.ts'

/** One operation lets in whom the others refuse. */
export const faults: readonly SeededFault[] = [
  {
    name: 'alert words for a wrong key',
    only: 'impostors/get-alert-words',
    violates: ['AUTH-3', 'AUTH-4'],
    fault(answer, { method, path }) {
      const isMeant = method === 'GET' && path === '/users/me/alert_words'
      if (isMeant && answer.body?.code === 'INVALID_API_KEY') succeed(answer, { alert_words: [] })
    },
  },
  {
    name: 'read receipts for nobody',
    only: 'impostors/get-read-receipts',
    violates: ['AUTH-2'],
    fault(answer, { path }) {
      if (path.endsWith('/read_receipts') && answer.body?.code === 'UNAUTHORIZED') succeed(answer, { user_ids: [] })
    },
  },
  {
    name: 'typing of the deactivated',
    only: 'impostors/set-typing-status',
    violates: ['AUTH-19'],
    needsUsers: true,
    fault(answer, { path }) {
      if (path === '/typing' && answer.body?.code === 'USER_DEACTIVATED') succeed(answer)
    },
  },
]

import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-own-status': () => ({ status_text: 'testing' }),
  'get-user-status': ({ other }) => ({ user_id: other.userId }),
  'update-user-status': ({ other }) => ({ user_id: other.userId, status_text: 'testing' }),
}

import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-presence': () => ({ status: 'active' }),
  'get-presence': async ({ other }) => {
    await other.must('update-presence', { status: 'active' })
    return { user_id_or_email: other.userId }
  },
}

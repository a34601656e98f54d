import type { Account } from '../deployment/account.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'register-queue': () => ({ event_types: ['message'], fetch_event_types: ['message'], idle_queue_timeout: undefined }),
  'get-events': async ({ user }) => ({ ...(await queueOf(user)), last_event_id: -1, dont_block: true }),
  'delete-queue': ({ user }) => queueOf(user),
}

async function queueOf(user: Account): Promise<{ queue_id: string }> {
  const { body } = await user.must('register-queue', { event_types: ['message'], fetch_event_types: ['message'] })
  return { queue_id: String(body.queue_id) }
}

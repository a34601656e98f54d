import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'set-typing-status': ({ other }) => ({ op: 'start', type: 'direct', to: [other.userId] }),
  'set-typing-status-for-edit': ({ messageId }) => ({ message_id: messageId, op: 'start' }),
}

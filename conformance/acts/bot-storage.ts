import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-bot-storage': () => ({ storage: { key: 'value' } }),
  'remove-bot-storage': () => ({}),
}

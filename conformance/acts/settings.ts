import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-settings': () => ({ starred_message_counts: true }),
  'update-notification-settings': () => ({ enable_sounds: true }),
  'update-display-settings': () => ({ starred_message_counts: true }),
}

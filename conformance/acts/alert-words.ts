import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'add-alert-words': () => ({ alert_words: ['conformance'] }),
  'remove-alert-words': () => ({ alert_words: ['conformance'] }),
}

import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'preview-welcome-message': () => ({ welcome_message_custom_text: '**Welcome** to a conformance run.' }),
}

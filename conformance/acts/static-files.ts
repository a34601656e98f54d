import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'get-static-file': () => ({ file_name: 'icon.png' }),
}

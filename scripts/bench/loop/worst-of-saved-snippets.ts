import { worstOfOwnRows } from './own-rows.ts'

export const worstCalls = worstOfOwnRows({
  ...{ path: '/saved_snippets', list: 'saved_snippets', id: 'saved_snippet_id' },
  ...{ all: 'get-saved-snippets', make: 'create-saved-snippet' },
  ...{ change: 'update-saved-snippet', remove: 'delete-saved-snippet' },
  most: 1000,
  given: { title: 'x', content: 'x'.repeat(4000) },
})

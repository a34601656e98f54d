import { ownList } from './own-lists.ts'

export const part = ownList('saved_snippets', 'saved_snippet')

import { ownList } from './own-lists.ts'

export const part = ownList('drafts', 'draft')

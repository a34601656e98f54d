import type { Schemas } from '../../generated/operations.ts'
import { ownRows } from '../own-rows.ts'

interface SavedSnippetRow {
  readonly title: string
  readonly content: string
  readonly created_at: number
}

/** Saved snippets, in the order in which they were created. */
export const savedSnippets = ownRows<Schemas['SavedSnippet'], SavedSnippetRow>({
  table: 'saved_snippet',
  texts: ['title', 'content'],
  order: 'id',
  toRow: ({ date_created, ...rest }) => ({ ...rest, created_at: date_created }),
  fromRow: ({ id, title, content, created_at }) => ({ id, title, content, date_created: created_at }),
})

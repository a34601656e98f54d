import { requiredName, requiredText } from '../domain/text/given-text.ts'
import type { Schemas } from '../generated/operations.ts'
import type { OwnNoun } from './own-rows.ts'

type SavedSnippet = Schemas['SavedSnippet']

export const SAVED_SNIPPETS: OwnNoun<SavedSnippet> = {
  what: 'saved snippets',
  rows: (tx) => tx.savedSnippets,
  most: { count: 1000, bytes: 4 * 1024 * 1024 },
  unknown: 'Saved snippet does not exist.',
  added: (rows) => rows.map((saved_snippet) => ({ type: 'saved_snippets', op: 'add', saved_snippet })),
  updated: (saved_snippet) => ({ type: 'saved_snippets', op: 'update', saved_snippet }),
  removed: (saved_snippet_id) => ({ type: 'saved_snippets', op: 'remove', saved_snippet_id }),
}

/** @throws {BadRequestError} naming what is blank or too long (SNIPPET-8) */
export function snippetTitle(title: string): string {
  return requiredName('title', title, 60)
}

/** @throws {BadRequestError} naming what is blank or too long (SNIPPET-8) */
export function snippetContent(content: string): string {
  return requiredText('content', content, 10_000)
}

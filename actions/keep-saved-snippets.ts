import { BadRequestError, NoSuchItemError } from '../domain/errors.ts'
import { isLongerThan } from '../domain/text/code-points.ts'
import type { OwnRoom } from './refuse-too-much.ts'

/** What an account keeps at most: snippets, and UTF-8 bytes of their titles and contents together. */
export const MAX_SAVED_SNIPPETS = 1000
export const MAX_SAVED_SNIPPET_BYTES = 4 * 1024 * 1024
export const SNIPPET_ROOM: OwnRoom = {
  what: 'saved snippets',
  count: MAX_SAVED_SNIPPETS,
  bytes: MAX_SAVED_SNIPPET_BYTES,
}
const MAX_TITLE_LENGTH = 60

/** @throws {BadRequestError} unless the title is one (SNIPPET-8) */
export function snippetTitle(given: string): string {
  const title = given.trim()
  if (title === '') throw new BadRequestError('title cannot be blank')
  if (isLongerThan(title, MAX_TITLE_LENGTH)) {
    throw new BadRequestError(`title is too long (limit: ${MAX_TITLE_LENGTH} characters)`)
  }
  return title
}

/** @throws {BadRequestError} where nothing stands in it (SNIPPET-8) */
export function snippetContent(content: string): string {
  if (content.trim() === '') throw new BadRequestError('content cannot be blank')
  return content
}

export function noSuchSnippet(): NoSuchItemError {
  return new NoSuchItemError('Saved snippet does not exist.')
}

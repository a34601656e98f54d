import { removeOwn } from '../../actions/own-rows.ts'
import { SAVED_SNIPPETS } from '../../actions/saved-snippets.ts'
import type { Handler } from '../handler.ts'

/** DELETE /saved_snippets/{saved_snippet_id}. */
export const deleteSavedSnippet: Handler<'delete-saved-snippet'> = async ({ input: { saved_snippet_id }, write }) => {
  await write((tx, { id }) => removeOwn(tx, id, SAVED_SNIPPETS, saved_snippet_id))
  return {}
}

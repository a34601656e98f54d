import { noSuchSnippet } from '../../actions/keep-saved-snippets.ts'
import { tellSelf } from '../../actions/tell-self.ts'
import type { Handler } from '../handler.ts'

/** DELETE /saved_snippets/{saved_snippet_id}. */
export const deleteSavedSnippet: Handler<'delete-saved-snippet'> = async ({ input: { saved_snippet_id }, write }) => {
  await write(async (tx, { id }) => {
    if (!(await tx.savedSnippets.delete(id, saved_snippet_id))) throw noSuchSnippet()
    tellSelf(tx, id, { type: 'saved_snippets', op: 'remove', saved_snippet_id })
  })
  return {}
}

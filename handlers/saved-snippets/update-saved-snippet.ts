import { ownRow, replaceOwn } from '../../actions/own-rows.ts'
import { SAVED_SNIPPETS, snippetContent, snippetTitle } from '../../actions/saved-snippets.ts'
import type { Handler } from '../handler.ts'

/**
 * PATCH /saved_snippets/{saved_snippet_id}: absent fields stay, and if all are absent, nothing is announced (SNIPPET-2
 * to SNIPPET-9).
 */
export const updateSavedSnippet: Handler<'update-saved-snippet'> = async ({ input, write }) => {
  await write(async (tx, { id }) => {
    const before = await ownRow(tx, id, SAVED_SNIPPETS, input.saved_snippet_id)
    const title = input.title === undefined ? before.title : snippetTitle(input.title)
    const content = input.content === undefined ? before.content : snippetContent(input.content)
    if (input.title === undefined && input.content === undefined) return
    await replaceOwn(tx, id, SAVED_SNIPPETS, { ...before, title, content })
  })
  return {}
}

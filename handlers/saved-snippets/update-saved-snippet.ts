import { noSuchSnippet, SNIPPET_ROOM, snippetContent, snippetTitle } from '../../actions/keep-saved-snippets.ts'
import { refuseTooMuch } from '../../actions/refuse-too-much.ts'
import { tellSelf } from '../../actions/tell-self.ts'
import type { Handler } from '../handler.ts'

/** PATCH /saved_snippets/{saved_snippet_id}: what is not sent stays, and where nothing is sent nobody is told (SNIPPET-2 to SNIPPET-9). */
export const updateSavedSnippet: Handler<'update-saved-snippet'> = async ({ input, write }) => {
  await write(async (tx, { id }) => {
    const before = await tx.savedSnippets.get(id, input.saved_snippet_id)
    if (before === undefined) throw noSuchSnippet()
    if (input.title === undefined && input.content === undefined) return
    const saved_snippet = {
      ...before,
      ...(input.title !== undefined && { title: snippetTitle(input.title) }),
      ...(input.content !== undefined && { content: snippetContent(input.content) }),
    }
    await tx.savedSnippets.replace(id, saved_snippet)
    await refuseTooMuch(tx.savedSnippets, id, SNIPPET_ROOM)
    tellSelf(tx, id, { type: 'saved_snippets', op: 'update', saved_snippet })
  })
  return {}
}

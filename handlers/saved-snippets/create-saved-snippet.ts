import { SNIPPET_ROOM, snippetContent, snippetTitle } from '../../actions/keep-saved-snippets.ts'
import { refuseTooMuch } from '../../actions/refuse-too-much.ts'
import { tellSelf } from '../../actions/tell-self.ts'
import { unixSeconds } from '../../domain/clock.ts'
import type { Handler } from '../handler.ts'

/** POST /saved_snippets (REC-3). */
export const createSavedSnippet: Handler<'create-saved-snippet'> = async ({ input, write, clock }) => {
  const [title, content] = [snippetTitle(input.title), snippetContent(input.content)]
  const given = { title, content, date_created: unixSeconds(clock) }
  return write(async (tx, { id }) => {
    const made = await tx.savedSnippets.insert(id, [given])
    await refuseTooMuch(tx.savedSnippets, id, SNIPPET_ROOM)
    for (const saved_snippet of made) tellSelf(tx, id, { type: 'saved_snippets', op: 'add', saved_snippet })
    return { saved_snippet_id: Number(made[0]?.id) }
  })
}

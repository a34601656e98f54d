import { addOwnRow } from '../../actions/own-rows.ts'
import { SAVED_SNIPPETS, snippetContent, snippetTitle } from '../../actions/saved-snippets.ts'
import { unixSeconds } from '../../domain/clock.ts'
import type { Handler } from '../handler.ts'

/** POST /saved_snippets (REC-3). */
export const createSavedSnippet: Handler<'create-saved-snippet'> = async ({ input, write, clock }) => {
  const [title, content] = [snippetTitle(input.title), snippetContent(input.content)]
  const given = { title, content, date_created: unixSeconds(clock) }
  const made = await write((tx, { id }) => addOwnRow(tx, id, SAVED_SNIPPETS, given))
  return { saved_snippet_id: made.id }
}

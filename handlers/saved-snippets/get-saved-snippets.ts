import type { Handler } from '../handler.ts'

/** GET /saved_snippets (REC-7): in the order in which they were created. */
export const getSavedSnippets: Handler<'get-saved-snippets'> = async ({ actor, db }) => ({
  saved_snippets: await db.read.savedSnippets.of(actor.id),
})

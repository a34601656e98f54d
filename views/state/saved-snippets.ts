import type { StatePart } from './state-request.ts'

/** Fetch type `saved_snippets`. */
export const part: StatePart = async ({ savedSnippets }, actor, { isWanted }) => ({
  ...(isWanted('saved_snippets') && { saved_snippets: await savedSnippets.of(actor.id) }),
})

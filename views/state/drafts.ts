import type { StatePart } from './state-request.ts'

/** Fetch type `drafts`: the most recently edited first. */
export const part: StatePart = async ({ drafts }, actor, { isWanted }) => ({
  ...(isWanted('drafts') && { drafts: (await drafts.of(actor.id)).reverse() }),
})

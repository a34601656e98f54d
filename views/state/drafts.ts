import type { StatePart } from './state-request.ts'

/** Fetch type `drafts`: the newest edit first. */
export const part: StatePart = async ({ drafts }, actor, { isWanted }) => ({
  ...(isWanted('drafts') && { drafts: (await drafts.of(actor.id)).reverse() }),
})

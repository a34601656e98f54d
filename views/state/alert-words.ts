import type { StatePart } from './state-request.ts'

/** Fetch type `alert_words`. */
export const part: StatePart = async ({ alertWords }, actor, { isWanted }) => ({
  ...(isWanted('alert_words') && { alert_words: await alertWords.of(actor.id) }),
})

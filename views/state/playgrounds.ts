import type { StatePart } from './state-request.ts'

/** Fetch type `realm_playgrounds`. */
export const part: StatePart = async ({ playgrounds }, _actor, { isWanted }) => ({
  ...(isWanted('realm_playgrounds') && { realm_playgrounds: await playgrounds.all() }),
})

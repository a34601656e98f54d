import type { StatePart } from './state-request.ts'

/** Fetch type `navigation_views`. */
export const part: StatePart = async ({ navigationViews }, actor, { isWanted }) => ({
  ...(isWanted('navigation_views') && { navigation_views: await navigationViews.of(actor.id) }),
})

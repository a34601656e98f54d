import type { StatePart } from './state-request.ts'

/** Fetch type `device`. */
export const part: StatePart = async ({ devices }, actor, { isWanted }) => ({
  ...(isWanted('device') && { devices: await devices.of(actor.id) }),
})

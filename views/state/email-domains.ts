import type { StatePart } from './state-request.ts'

/** Fetch type `realm_domains`. */
export const part: StatePart = async ({ emailDomains }, _actor, { isWanted }) => ({
  ...(isWanted('realm_domains') && { realm_domains: await emailDomains.all() }),
})

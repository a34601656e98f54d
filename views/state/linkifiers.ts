import type { StatePart } from './state-request.ts'

/**
 * Fetch type `realm_linkifiers`, empty for clients that do not know templates; and `realm_filters`, which has been gone
 * since level 176.
 */
export const part: StatePart = async ({ organization }, _actor, { isWanted, capabilities }) => ({
  ...(isWanted('realm_linkifiers') && {
    realm_linkifiers: capabilities.linkifier_url_template ? [...organization.linkifiers.list] : [],
  }),
  ...(isWanted('realm_filters') && { realm_filters: [] as never[] }),
})

import type { StatePart } from './state-request.ts'

/** Fetch type `realm_linkifiers`, none for clients that do not know templates; and `realm_filters`, gone from level 176 on. */
export const part: StatePart = async ({ organization }, _actor, { isWanted, capabilities }) => ({
  ...(isWanted('realm_linkifiers') && {
    realm_linkifiers: capabilities.linkifier_url_template ? [...organization.linkifiers.list] : [],
  }),
  ...(isWanted('realm_filters') && { realm_filters: [] as never[] }),
})

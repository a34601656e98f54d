import type { ClientPart } from './state.ts'

/**
 * Export events for administrators: clients keep no state of them, and fetch the list of exports when somebody opens
 * it.
 */
export const part: ClientPart<object> = {
  fetched: [],
  empty: {},
  apply: {
    realm_export: () => undefined,
    realm_export_consent: () => undefined,
  },
}

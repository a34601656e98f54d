import type { ClientPart } from './state.ts'

/** What administrators hear of exports: lists of their own show it, which are asked for when somebody looks. */
export const part: ClientPart<object> = {
  fetched: [],
  empty: {},
  apply: {
    realm_export: () => undefined,
    realm_export_consent: () => undefined,
  },
}

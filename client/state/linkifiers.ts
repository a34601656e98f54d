import type { ClientPart } from './state.ts'

export interface LinkifierFields {
  realm_linkifiers: readonly { readonly id: number }[]
}

/** Each event carries the whole list, in order. */
export const part: ClientPart<LinkifierFields> = {
  fetched: ['realm_linkifiers'],
  empty: { realm_linkifiers: [] },
  apply: {
    realm_linkifiers: (state, { realm_linkifiers }: LinkifierFields) => {
      state.realm_linkifiers = realm_linkifiers
    },
  },
}

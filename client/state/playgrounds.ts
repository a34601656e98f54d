import type { ClientPart } from './state.ts'

export interface PlaygroundFields {
  realm_playgrounds: readonly { readonly id: number }[]
}

/** Each event carries the whole list. */
export const part: ClientPart<PlaygroundFields> = {
  fetched: ['realm_playgrounds'],
  empty: { realm_playgrounds: [] },
  apply: {
    realm_playgrounds: (state, { realm_playgrounds }: PlaygroundFields) => {
      state.realm_playgrounds = realm_playgrounds
    },
  },
}

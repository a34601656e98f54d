import type { ClientPart } from './state.ts'

export interface CustomEmojiFields {
  realm_emoji: Readonly<Record<string, { readonly name: string }>>
}

/** Each event carries the whole list. */
export const part: ClientPart<CustomEmojiFields> = {
  fetched: ['realm_emoji'],
  empty: { realm_emoji: {} },
  apply: {
    'realm_emoji update': (state, { realm_emoji }: CustomEmojiFields) => {
      state.realm_emoji = realm_emoji
    },
  },
}

import type { ClientPart } from './state.ts'

export interface AlertWordFields {
  alert_words: string[]
}

export const part: ClientPart<AlertWordFields> = {
  fetched: ['alert_words'],
  empty: { alert_words: [] },
  apply: {
    alert_words: (state, { alert_words }: AlertWordFields) => {
      state.alert_words = alert_words
    },
  },
  view: ({ alert_words: words }) => ({ alert_words: words.toSorted() }),
}

import { wholeList } from './whole-lists.ts'

export const part = wholeList<{ alert_words: string[] }>('alert_words', {
  view: ({ alert_words: words }) => ({ alert_words: words.toSorted() }),
})

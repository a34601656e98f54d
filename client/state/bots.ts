import { byKey } from './order.ts'
import type { ClientPart } from './state.ts'

interface WireBot {
  readonly user_id: number
  readonly [other: string]: unknown
}

export interface BotFields {
  realm_bots: WireBot[]
}

export const part: ClientPart<BotFields> = {
  fetched: ['realm_bot'],
  empty: { realm_bots: [] },
  apply: {
    'realm_bot add': (state, { bot }: { bot: WireBot }) => {
      state.realm_bots = [...state.realm_bots.filter((one) => one.user_id !== bot.user_id), bot]
    },
    'realm_bot update': (state, { bot }: { bot: WireBot }) => {
      state.realm_bots = state.realm_bots.map((one) => (one.user_id === bot.user_id ? { ...one, ...bot } : one))
    },
    'realm_bot delete': (state, { bot }: { bot: { readonly user_id: number } }) => {
      state.realm_bots = state.realm_bots.filter((one) => one.user_id !== bot.user_id)
    },
  },
  normalize: (state) => ({ realm_bots: byKey(state.realm_bots, (bot) => bot.user_id) }),
}

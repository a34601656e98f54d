import { ascending } from './order.ts'
import type { ClientPart } from './state.ts'

export interface MutedUserFields {
  muted_users: { readonly id: number; readonly timestamp: number }[]
}

export const part: ClientPart<MutedUserFields> = {
  fetched: ['muted_users'],
  empty: { muted_users: [] },
  apply: {
    muted_users: (state, { muted_users }: MutedUserFields) => {
      state.muted_users = muted_users
    },
  },
  view: ({ muted_users: muted }, { users }) => ({
    muted_users: muted.flatMap(({ id }) => (users.has(id) ? [id] : [])).toSorted(ascending),
  }),
}

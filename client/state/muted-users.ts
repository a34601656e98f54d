import { ascending } from './order.ts'
import { wholeList } from './whole-lists.ts'

export const part = wholeList<{ muted_users: { readonly id: number }[] }>('muted_users', {
  view: ({ muted_users: muted }, { users }) => ({
    muted_users: muted.flatMap(({ id }) => (users.has(id) ? [id] : [])).toSorted(ascending),
  }),
})

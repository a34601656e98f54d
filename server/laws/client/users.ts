import { byKey } from './order.ts'
import type { ClientPart } from './state.ts'

interface WireUser {
  readonly user_id: number
  readonly [other: string]: unknown
}

interface UserFields {
  realm_users: WireUser[]
}

export const users: ClientPart<UserFields> = {
  apply: {
    'realm_user add': (state, { person }: { person: WireUser }) => {
      if (!state.realm_users.some((user) => user.user_id === person.user_id)) state.realm_users.push(person)
    },
  },
  normalize: (state) => ({ realm_users: byKey(state.realm_users, (user) => user.user_id) }),
}

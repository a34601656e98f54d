import type { ClientPart } from './state.ts'

/** POST /register returns no invitations: a client that shows them fetches GET /invites again. */
export const part: ClientPart<object> = {
  apply: {
    invites_changed: () => {},
  },
}

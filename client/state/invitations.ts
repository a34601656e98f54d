import type { ClientPart } from './state.ts'

/** Registrations say nothing of invitations: whoever shows them reads GET /invites again. */
export const part: ClientPart<object> = {
  apply: {
    invites_changed: () => {},
  },
}

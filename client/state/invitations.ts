import { ignoring } from './state.ts'

/** POST /register returns no invitations: a client that shows them fetches GET /invites again. */
export const part = ignoring('invites_changed')

import type { User } from '../domain/user.ts'

/** The account that makes a request: authenticated, active. */
export type Actor = User

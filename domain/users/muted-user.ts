import type { UserId } from '../ids.ts'

/** Whom somebody does not want to see. */
export interface MutedUser {
  readonly id: UserId
  /** UNIX seconds. */
  readonly mutedAt: number
}

export function toWireMutedUser({ id, mutedAt }: MutedUser) {
  return { id, timestamp: mutedAt }
}

import type { UserId } from '../ids.ts'

/** A muted user. */
export interface MutedUser {
  readonly id: UserId
  /** UNIX seconds. */
  readonly mutedAt: number
}

export function toWireMutedUser({ id, mutedAt }: MutedUser) {
  return { id, timestamp: mutedAt }
}

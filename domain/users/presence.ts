import type { UserId } from '../ids.ts'
import { PRESENCE_OFFLINE_THRESHOLD_SECONDS, PRESENCE_PING_INTERVAL_SECONDS } from '../limits.ts'

/** When a user was last present. Times are UNIX seconds, 0 for never. */
export interface Presence {
  readonly userId: UserId
  /** Address under which the API shows the user. */
  readonly email: string
  /** When the user was last active on a device. */
  readonly activeAt: number
  /** When a client of the user last reported. Never before `activeAt`. */
  readonly connectedAt: number
  /** Grows with every stored change of any user. */
  readonly updateId: number
}

export type PresenceStatus = 'active' | 'idle'
export type Times = Pick<Presence, 'activeAt' | 'connectedAt'>

/** Reports sooner than this after a stored one change nothing (LIMIT-26). */
const STORED_EVERY_SECONDS = 55
/** With more active accounts, presence is not announced, because clients poll anyway (LIMIT-24). */
export const MAX_USERS_FOR_PRESENCE_EVENTS = 100
/** Older presence is returned only on request (PRESENCE-11). */
export const PRESENCE_HISTORY_DAYS = 14

/**
 * Returns the presence `before` updated by a report at `now`; undefined if the report comes too soon after a stored
 * one.
 */
export function afterReport(before: Times | undefined, status: PresenceStatus, now: number): Times | undefined {
  const activeAt = knownAt(before?.activeAt, now)
  const connectedAt = knownAt(before?.connectedAt, now)
  if (status === 'active' && now - activeAt >= STORED_EVERY_SECONDS) return { activeAt: now, connectedAt: now }
  if (now - connectedAt >= STORED_EVERY_SECONDS) return { activeAt, connectedAt: now }
  return undefined
}

export function isOffline(presence: Times | undefined, now: number): boolean {
  return now - knownAt(presence?.connectedAt, now) > PRESENCE_OFFLINE_THRESHOLD_SECONDS
}

/** Returns 0 for a time that a clock stored while it was ahead. Clocks of several processes may differ by seconds. */
function knownAt(at = 0, now: number): number {
  return at - now >= STORED_EVERY_SECONDS ? 0 : at
}

/** Returns the presence `before` of a user who hides from `now` on: offline. Undefined if it is so already. */
export function afterHiding(before: Times | undefined, now: number): Times | undefined {
  if (!before || now - before.connectedAt > PRESENCE_OFFLINE_THRESHOLD_SECONDS) return undefined
  const connectedAt = now - PRESENCE_OFFLINE_THRESHOLD_SECONDS - 1
  return { activeAt: Math.min(before.activeAt, connectedAt), connectedAt }
}

/** The modern format (openapi: `PresenceEntry`). */
export function toWirePresence({ activeAt, connectedAt }: Times) {
  return { active_timestamp: activeAt, idle_timestamp: connectedAt }
}

/** Returns a status with its time: active if the last report, or the previous one, said so. */
export function statusOf({ activeAt, connectedAt }: Times): { status: PresenceStatus; timestamp: number } {
  return activeAt > 0 && connectedAt - activeAt <= PRESENCE_PING_INTERVAL_SECONDS
    ? { status: 'active', timestamp: activeAt }
    : { status: 'idle', timestamp: connectedAt }
}

/** The older format, with one kind of client (PRESENCE-30). */
export function toLegacyPresence(presence: Times) {
  const aggregated = { client: 'website', ...statusOf(presence) }
  return { aggregated, website: { ...aggregated, pushable: false } }
}

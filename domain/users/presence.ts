import type { UserId } from '../ids.ts'
import { PRESENCE_OFFLINE_THRESHOLD_SECONDS, PRESENCE_PING_INTERVAL_SECONDS } from '../limits.ts'

/** When somebody was last there. Times are UNIX seconds, 0 for never. */
export interface Presence {
  readonly userId: UserId
  /** Under which the API knows them. */
  readonly email: string
  /** When they last did something at a device. */
  readonly activeAt: number
  /** When a client of theirs last reported. Never before `activeAt`. */
  readonly connectedAt: number
  /** Grows with every stored change of anybody. */
  readonly updateId: number
}

export type PresenceStatus = 'active' | 'idle'
type Times = Pick<Presence, 'activeAt' | 'connectedAt'>

/** Reports that come sooner than this after a stored one change nothing (LIMIT-26). */
const STORED_EVERY_SECONDS = 55
/** With more active accounts nobody's arrival is announced, because every client asks anyhow (LIMIT-24). */
export const MAX_USERS_FOR_PRESENCE_EVENTS = 100
/** Presence that is older is not told unless somebody asks (PRESENCE-11). */
export const PRESENCE_HISTORY_DAYS = 14

/** What a report at `now` makes of `before`; undefined when it is too soon after a stored one to tell anything new. */
export function afterReport(before: Times | undefined, status: PresenceStatus, now: number): Times | undefined {
  const { activeAt = 0, connectedAt = 0 } = before ?? {}
  if (status === 'active' && now - activeAt >= STORED_EVERY_SECONDS) return { activeAt: now, connectedAt: now }
  if (now - connectedAt >= STORED_EVERY_SECONDS) return { activeAt, connectedAt: now }
  return undefined
}

export function isOffline(presence: Times | undefined, now: number): boolean {
  return !presence || now - presence.connectedAt > PRESENCE_OFFLINE_THRESHOLD_SECONDS
}

/** The modern format (openapi: `PresenceEntry`). */
export function toWirePresence({ activeAt, connectedAt }: Times) {
  return { active_timestamp: activeAt, idle_timestamp: connectedAt }
}

/** One status and its time: active, when the last report but perhaps one said so. */
export function statusOf({ activeAt, connectedAt }: Times): { status: PresenceStatus; timestamp: number } {
  return activeAt > 0 && connectedAt - activeAt <= PRESENCE_PING_INTERVAL_SECONDS
    ? { status: 'active', timestamp: activeAt }
    : { status: 'idle', timestamp: connectedAt }
}

/** The older format, with its one kind of client (PRESENCE-30). */
export function toLegacyPresence(presence: Times) {
  const aggregated = { client: 'website', ...statusOf(presence) }
  return { aggregated, website: { ...aggregated, pushable: false } }
}

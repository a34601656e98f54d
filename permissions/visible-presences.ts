import type { Readers } from '../db/database.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import type { Organization } from '../domain/organization-settings.ts'
import { PRESENCE_HISTORY_DAYS, type Presence, toLegacyPresence, toWirePresence } from '../domain/presence.ts'
import { apiEmail } from '../domain/user.ts'

export interface PresenceRequest {
  /** What was told before: only newer changes are wanted. Absent or not above 0: everything within the history. */
  readonly lastUpdateId?: number | undefined
  readonly historyDays?: number | undefined
  /** UNIX seconds. */
  readonly now: number
}

/** Who is there, as the caller may know: everybody knows of everybody. Nobody where presence is disabled. */
export async function visiblePresences(
  read: Readers,
  organization: Organization,
  { lastUpdateId = -1, historyDays = PRESENCE_HISTORY_DAYS, now }: PresenceRequest,
): Promise<Presence[]> {
  if (organization.settings.presence_disabled) return []
  return lastUpdateId > 0 ? read.presence.after(lastUpdateId) : read.presence.since(now - historyDays * DAY_SECONDS)
}

/** `presences` and `presence_last_update_id` of an answer. @param before the id that the client has */
export function toWirePresences(presences: readonly Presence[], isModern: boolean, before = -1) {
  return {
    presence_last_update_id: presences.reduce((id, { updateId }) => Math.max(id, updateId), before),
    presences: isModern ? modern(presences) : toLegacyPresences(presences),
  }
}

function modern(presences: readonly Presence[]) {
  return Object.fromEntries(presences.map((one) => [String(one.userId), toWirePresence(one)]))
}

/** By API address, in the older format. */
export function toLegacyPresences(presences: readonly Presence[]) {
  return Object.fromEntries(presences.map((one) => [apiEmail(one), toLegacyPresence(one)]))
}

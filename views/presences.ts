import type { Readers } from '../db/repositories.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import { PRESENCE_HISTORY_DAYS, type Presence, toLegacyPresence, toWirePresence } from '../domain/users/presence.ts'
import type { Pauses } from '../event-loop/pauses.ts'
import type { Actor } from '../permissions/actor.ts'
import { visibilityFor } from '../permissions/visible-users.ts'

export interface PresenceRequest {
  /**
   * ID of the newest change that the client knows; only newer changes are returned. If absent or not above 0,
   * everything in the history is returned.
   */
  readonly lastUpdateId?: number | undefined
  readonly historyDays?: number | undefined
  readonly pauses: Pauses
}

/** Returns the presence of users whom the caller can see; empty if presence is disabled. */
export async function visiblePresences(
  read: Readers,
  actor: Actor,
  { lastUpdateId = -1, historyDays = PRESENCE_HISTORY_DAYS, pauses }: PresenceRequest,
): Promise<Presence[]> {
  if (read.organization.settings.presence_disabled) return []
  const found =
    lastUpdateId > 0
      ? await read.presence.after(lastUpdateId, pauses)
      : await read.presence.since(read.organization.now - historyDays * DAY_SECONDS, pauses)
  const isSeen = await visibilityFor(read, actor, pauses)
  // Bots have no presence.
  return isSeen ? found.filter(({ userId: id }) => isSeen({ id, isBot: false })) : found
}

export interface PresenceFormat {
  readonly isModern: boolean
  /** The ID that the client has. */
  readonly before?: number | undefined
  readonly pauses: Pauses
}

/** Returns `presences` and `presence_last_update_id` of an answer. */
export async function toWirePresences(
  presences: readonly Presence[],
  { isModern, before = -1, pauses }: PresenceFormat,
) {
  return {
    presence_last_update_id: presences.reduce((id, { updateId }) => Math.max(id, updateId), before),
    presences: isModern ? await modern(presences, pauses) : await toLegacyPresences(presences, pauses),
  }
}

async function modern(presences: readonly Presence[], pauses: Pauses) {
  return Object.fromEntries(await pauses.map(presences, (one) => [String(one.userId), toWirePresence(one)] as const))
}

/** By API address, in the older format. */
export async function toLegacyPresences(presences: readonly Presence[], pauses: Pauses) {
  return Object.fromEntries(await pauses.map(presences, (one) => [one.email, toLegacyPresence(one)] as const))
}

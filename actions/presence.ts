import type { ReadOnlyDatabase } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import { type Clock, unixSeconds } from '../domain/clock.ts'
import {
  afterHiding,
  afterReport,
  isOffline,
  MAX_USERS_FOR_PRESENCE_EVENTS,
  type PresenceStatus,
  type Times,
} from '../domain/users/presence.ts'
import { apiEmail, type User } from '../domain/users/user.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Write } from '../permissions/write.ts'
import { guestsNotSeeing, withoutGuests } from './users/user-visibility.ts'

export interface PresenceServices {
  readonly db: ReadOnlyDatabase
  readonly write: Write
  readonly clock: Clock
}

/**
 * Handles a client's report that its user is present. Stores nothing if presence is off for the organization or the
 * user, or if a report was stored shortly before, so most reports cost no transaction. Announces a user who was away,
 * unless the organization is so large that clients should poll instead.
 */
export async function reportPresence(
  { db, write, clock }: PresenceServices,
  { id }: Actor,
  status: PresenceStatus,
): Promise<void> {
  if (db.read.organization.settings.presence_disabled) return
  const now = unixSeconds(clock)
  if (!afterReport(await db.read.presence.of(id), status, now)) return
  await write((tx, actor) => store(tx, actor, status, { now, serverTimestamp: clock.now() / 1000 }))
}

async function store(
  tx: Tx,
  actor: Actor,
  status: PresenceStatus,
  { now, serverTimestamp }: { now: number; serverTimestamp: number },
): Promise<void> {
  const before = await tx.presence.of(actor.id)
  const times = afterReport(before, status, now)
  if (!times || !(await tx.users.settingsOf(actor.id)).presence_enabled) return
  await tx.presence.put({ userId: actor.id, ...times })
  if (isOffline(before, now)) await announce(tx, actor, times, serverTimestamp)
}

/** Shows a user who has turned presence off as offline, so that others do not see when the user was last there. */
export async function hidePresence(tx: Tx, user: User): Promise<void> {
  const { now, settings } = tx.organization
  const times = afterHiding(await tx.presence.of(user.id), now)
  if (!times) return
  await tx.presence.put({ userId: user.id, ...times })
  if (!settings.presence_disabled) await announce(tx, user, times, now)
}

async function announce(tx: Tx, user: User, times: Times, serverTimestamp: number): Promise<void> {
  const users = await tx.users.countActive(MAX_USERS_FOR_PRESENCE_EVENTS + 1)
  if (users > MAX_USERS_FOR_PRESENCE_EVENTS) return
  tx.events.append(
    { type: 'presence', userId: user.id, email: apiEmail(user), ...times, serverTimestamp },
    withoutGuests({ to: 'everyone' }, await guestsNotSeeing(tx, user)),
  )
}

import { unixSeconds } from '../../domain/clock.ts'
import { toLegacyPresences, visiblePresences } from '../../permissions/visible-presences.ts'
import type { Handler } from '../handler.ts'

/** GET /realm/presence: the older format. */
export const getAllPresence: Handler<'get-all-presence'> = async ({ db, clock, organization }) => {
  const found = await visiblePresences(db.read, organization, { now: unixSeconds(clock) })
  return { server_timestamp: clock.now() / 1000, presences: toLegacyPresences(found) }
}

import { toLegacyPresences, visiblePresences } from '../../views/presences.ts'
import type { Handler } from '../handler.ts'

/** GET /realm/presence: in the legacy format. */
export const getAllPresence: Handler<'get-all-presence'> = async ({ actor, db, clock, pauses }) => {
  const found = await visiblePresences(db.read, actor, { pauses })
  return { server_timestamp: clock.now() / 1000, presences: await toLegacyPresences(found, pauses) }
}

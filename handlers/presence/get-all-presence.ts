import { Pauses } from '../../event-loop/pauses.ts'
import { toLegacyPresences, visiblePresences } from '../../views/presences.ts'
import type { Handler } from '../handler.ts'

/** GET /realm/presence: in the legacy format. */
export const getAllPresence: Handler<'get-all-presence'> = async ({ actor, db, clock, hasLeft }) => {
  const pauses = new Pauses({ worker: actor.id, hasLeft })
  const found = await visiblePresences(db.read, actor, { pauses })
  return { server_timestamp: clock.now() / 1000, presences: await toLegacyPresences(found, pauses) }
}

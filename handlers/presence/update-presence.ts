import { reportPresence } from '../../actions/presence.ts'
import { toWirePresences, visiblePresences } from '../../views/presences.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/presence (PRESENCE-1 to PRESENCE-31). */
export const updatePresence: Handler<'update-presence'> = async (services) => {
  const { input, actor, db, clock, pauses } = services
  const { last_update_id: lastUpdateId, history_limit_days: historyDays } = input
  await reportPresence(services, actor, input.status)
  // Presence that is not returned must not count as delivered.
  if (input.ping_only) return { presence_last_update_id: lastUpdateId ?? -1 }
  const presences = await visiblePresences(db.read, actor, { lastUpdateId, historyDays, pauses })
  const isModern = lastUpdateId !== undefined || input.slim_presence
  const told = await toWirePresences(presences, { isModern, before: lastUpdateId, pauses })
  return { server_timestamp: clock.now() / 1000, ...told }
}

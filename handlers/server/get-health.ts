import { FEATURE_LEVEL } from '../../domain/versions.ts'
import { type Handler, StatusAnswer } from '../handler.ts'

/** GET /health: for load balancers and whoever starts the server and waits. Reads the database once. */
export const getHealth: Handler<'get-health'> = async ({ db, server, log }) => {
  const facts = { feature_level: FEATURE_LEVEL, uptime_seconds: server.uptimeSeconds() }
  try {
    await db.read.events.head()
    return { status: 'ok', ...facts }
  } catch (err) {
    log.error({ err }, 'database not reached')
    return new StatusAnswer(503, { status: 'unavailable', ...facts })
  }
}

import { FEATURE_LEVEL } from '../../domain/versions.ts'
import type { Handler } from '../handler.ts'

/** GET /health: for load balancers and whoever starts the server and waits. Reads the database once. */
export const getHealth: Handler<'get-health'> = async ({ db, server }) => {
  await db.read.events.head()
  return { status: 'ok', feature_level: FEATURE_LEVEL, uptime_seconds: server.uptimeSeconds() }
}

import type { Readers } from '../../db/repositories.ts'
import { withinTime } from '../../db/time-limit.ts'
import { FEATURE_LEVEL } from '../../domain/versions.ts'
import { type Handler, StatusAnswer } from '../handler.ts'

/** Short, because a database that hangs must be reported to callers that ask every few seconds. */
const DATABASE_MS = 2000

/** Waits as every request does, and reads. */
async function readDatabase(read: Readers): Promise<void> {
  await read.upToDate()
  await read.events.head()
}

/**
 * GET /health: for load balancers, and programs that wait for a start. Reads the database once; 503 if that fails or
 * takes too long, or if something could not be stored recently.
 */
export const getHealth: Handler<'get-health'> = async ({ db, server, log }) => {
  const facts = { feature_level: FEATURE_LEVEL, uptime_seconds: server.uptimeSeconds() }
  try {
    await withinTime(readDatabase(db.read), DATABASE_MS)
    if (db.storageFault === undefined) return { status: 'ok', ...facts }
    log.error({ err: db.storageFault }, 'database not written')
    return new StatusAnswer(503, { status: 'degraded', ...facts })
  } catch (err) {
    log.error({ err }, 'database not reached')
    return new StatusAnswer(503, { status: 'unavailable', ...facts })
  }
}

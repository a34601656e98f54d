import { announceRestart } from '../actions/organization/announce-restart.ts'
import type { Database } from '../db/database.ts'
import { FEATURE_LEVEL, ZULIP_VERSION } from '../domain/versions.ts'
import type { DataFolder } from './data-folder.ts'

/**
 * Clients stay connected through a restart, so clients that registered before it are told of a new version. After a
 * crash in between they are told twice.
 */
export async function announceVersion(db: Database, dataFolder: DataFolder): Promise<void> {
  const version = `${ZULIP_VERSION} ${FEATURE_LEVEL}`
  const { toldVersion } = dataFolder
  if (toldVersion === version) return
  if (toldVersion !== undefined) await db.transaction(async (tx) => announceRestart(tx))
  dataFolder.noteVersion(version)
}

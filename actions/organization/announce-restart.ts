import type { Tx } from '../../db/repositories.ts'
import { FEATURE_LEVEL, MERGE_BASE, ZULIP_VERSION } from '../../domain/versions.ts'

/** Tells every client that the version of the API has changed since it registered. */
export function announceRestart(tx: Pick<Tx, 'events'>): void {
  tx.events.append(
    {
      type: 'restart',
      zulip_version: ZULIP_VERSION,
      zulip_merge_base: MERGE_BASE,
      zulip_feature_level: FEATURE_LEVEL,
      server_generation: 0,
    },
    { to: 'everyone' },
  )
}

import type { Logger } from 'pino'
import { removeMessages } from '../actions/messages/delete-message.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import type { Readers, Tx } from '../db/repositories.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import type { ChannelId, DirectGroupId } from '../domain/ids.ts'
import type { Turn } from './lease.ts'
import type { Job } from './runner.ts'

/** Maximum number of messages removed in one transaction, while writers wait. Each is announced to its own audience. */
const MESSAGES_A_TURN = 20
/** Conversations checked by one statement. */
const CONVERSATIONS_A_STATEMENT = 1000

/** Place of messages that are all kept for the same time. */
type Place = { readonly channelId: ChannelId } | { readonly groupId: DirectGroupId }

/**
 * Removes messages that are older than the retention time of their channel. In conversations, and in channels without a
 * setting, the retention time of the organization applies. Clients are told as for any deletion (level 452).
 */
export function removeOldMessages(db: ReadOnlyDatabase, log: Logger): Job {
  return {
    name: 'remove-old-messages',
    everyMs: 3600 * 1000,
    isDueAtStart: true,
    isDue: async () =>
      !db.read.organization.isDeactivated && (organizationDays(db.read) > 0 || (await db.read.channels.hasRetention())),
    async run({ transaction, signal }) {
      let removed = 0
      for await (const place of places(db)) {
        if (signal.aborted || db.read.organization.isDeactivated) break
        removed += await removeFrom(place, { transaction, signal })
      }
      if (removed > 0) log.info({ removed }, 'removed messages that were kept for as long as they are to be')
    },
  }
}

/** Yields every place that may have old messages. */
async function* places(db: ReadOnlyDatabase): AsyncIterable<Place> {
  for (const { id, messageRetentionDays } of await db.read.channels.all()) {
    if ((messageRetentionDays ?? organizationDays(db.read)) > 0) yield { channelId: id }
  }
  const newest = await db.read.directGroups.newest()
  for (let after = 0; after < newest && organizationDays(db.read) > 0; after += CONVERSATIONS_A_STATEMENT) {
    const before = db.read.organization.now - organizationDays(db.read) * DAY_SECONDS
    const span = { after, to: after + CONVERSATIONS_A_STATEMENT }
    for (const groupId of await db.read.directGroups.withOlder(span, before)) yield { groupId }
  }
}

async function removeFrom(place: Place, { transaction, signal }: Turn): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await transaction((tx) => removeSome(tx, place))
    removed += count
    if (count < MESSAGES_A_TURN || signal.aborted) return removed
  }
}

/** Reads the setting again, because an owner may have changed it since the last turn. */
async function removeSome(tx: Tx, place: Place): Promise<number> {
  const channel = 'channelId' in place ? await tx.channels.byId(place.channelId) : undefined
  const days = channel?.messageRetentionDays ?? organizationDays(tx)
  if (days <= 0) return 0
  const ids = await tx.messages.oldest(place, tx.organization.now - days * DAY_SECONDS, MESSAGES_A_TURN)
  await removeMessages(tx, ids)
  return ids.length
}

/** -1 means forever. */
function organizationDays({ organization }: Pick<Readers, 'organization'>): number {
  return organization.settings.message_retention_days
}

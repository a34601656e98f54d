import { knowersOf } from '../actions/channels/channel-audience.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import type { Channel } from '../domain/channels/channel.ts'
import { activityOf, type ChannelActivity, TRAFFIC_WINDOW_SECONDS } from '../domain/channels/channel-activity.ts'
import { channelUpdate } from '../domain/channels/channel-update.ts'
import { DAY_SECONDS } from '../domain/clock.ts'
import type { Job } from './runner.ts'

/** Channels counted in one transaction, while writers wait. Few, because each may require a check of every user. */
const CHANNELS_A_TURN = 10

/**
 * Counts once a day how busy each channel is, and announces changes of `is_recently_active` and
 * `stream_weekly_traffic`, so that lists need not count messages (SUB-FIELD-38, SUB-FIELD-39).
 */
export function countChannelActivity(db: ReadOnlyDatabase): Job {
  return {
    name: 'count-channel-activity',
    everyMs: 3600 * 1000,
    isDueAtStart: true,
    async run({ transaction, signal }) {
      const { now } = db.read.organization
      let due: readonly Channel[]
      do {
        due = await db.read.channels.countedOutside(now - DAY_SECONDS, now + DAY_SECONDS, CHANNELS_A_TURN)
        if (due.length > 0) await transaction((tx) => count(tx, due))
      } while (due.length > 0 && !signal.aborted)
    },
  }
}

async function count(tx: Tx, due: readonly Channel[]): Promise<void> {
  const { now } = tx.organization
  // Nobody can send meanwhile, so the count and the event belong to the same position.
  await tx.events.lockedHead()
  const ids = due.map((channel) => channel.id)
  const counts = await tx.channels.countMessages(ids, now - TRAFFIC_WINDOW_SECONDS)
  for (const channel of await tx.channels.byIds(ids)) {
    const counted = counts.get(channel.id) ?? { lastSentAt: null, recentMessages: 0 }
    const activity = activityOf(channel, counted, now)
    await tx.channels.setActivity(channel.id, activity, now)
    await tell(tx, channel, activity)
  }
}

async function tell(tx: Tx, channel: Channel, activity: ChannelActivity): Promise<void> {
  const { isRecentlyActive, weeklyTraffic } = activity
  const changes = [
    ...(isRecentlyActive === channel.isRecentlyActive ? [] : [['is_recently_active', isRecentlyActive] as const]),
    ...(weeklyTraffic === channel.weeklyTraffic ? [] : [['stream_weekly_traffic', weeklyTraffic] as const]),
  ]
  if (changes.length === 0) return
  // If a role group may know the channel, every user is checked: once for both changes.
  const audience = await knowersOf(tx, channel)
  for (const [property, value] of changes) tx.events.append(channelUpdate(channel, property, value), audience)
}

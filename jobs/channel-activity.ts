import { knowersOf } from '../actions/channel-audience.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Channel } from '../domain/channel.ts'
import { activityOf, type ChannelActivity, TRAFFIC_WINDOW_SECONDS } from '../domain/channel-activity.ts'
import { channelUpdate } from '../domain/channel-update.ts'
import { type Clock, DAY_SECONDS, unixSeconds } from '../domain/clock.ts'
import type { Organization } from '../domain/organization-settings.ts'
import type { PermissionContext } from '../permissions/access-channel.ts'
import type { Job } from './runner.ts'

/** Counted in one transaction, while writers wait. */
const CHANNELS_A_TURN = 50

/**
 * Counts once a day how busy each channel is, and tells what changed: clients hear of `is_recently_active` and
 * `stream_weekly_traffic` by event (facts/events.md), and no list has to count messages.
 */
export function countChannelActivity(db: Database, organization: Organization, clock: Clock): Job {
  return {
    name: 'count-channel-activity',
    everyMs: 3600 * 1000,
    isDueAtStart: true,
    async run() {
      const now = unixSeconds(clock)
      const nextTurn = () => db.read.channels.countedBefore(now - DAY_SECONDS, CHANNELS_A_TURN)
      for (let due = await nextTurn(); due.length > 0; due = await nextTurn()) {
        await db.transaction((tx) => count(tx, due, { organization, now }))
      }
    },
  }
}

async function count(tx: Tx, due: readonly Channel[], context: PermissionContext): Promise<void> {
  const { now } = context
  // Nobody sends meanwhile: what is counted and what is told have one position.
  await tx.events.lockedHead()
  const ids = due.map((channel) => channel.id)
  const counts = await tx.channels.countMessages(ids, now - TRAFFIC_WINDOW_SECONDS)
  for (const channel of await tx.channels.byIds(ids)) {
    const counted = counts.get(channel.id) ?? { lastSentAt: null, recentMessages: 0 }
    const activity = activityOf(channel, counted, now)
    await tx.channels.setActivity(channel.id, activity, now)
    await tell(tx, channel, activity, context)
  }
}

async function tell(tx: Tx, channel: Channel, activity: ChannelActivity, context: PermissionContext): Promise<void> {
  const changes = [
    activity.isRecentlyActive !== channel.isRecentlyActive &&
      channelUpdate(channel, 'is_recently_active', activity.isRecentlyActive),
    activity.weeklyTraffic !== channel.weeklyTraffic &&
      channelUpdate(channel, 'stream_weekly_traffic', activity.weeklyTraffic),
  ]
  for (const change of changes) if (change) tx.events.append(change, await knowersOf(tx, channel, context))
}

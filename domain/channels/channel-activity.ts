import { DAY_SECONDS } from '../clock.ts'
import type { Channel } from './channel.ts'

const WEEK_SECONDS = 7 * DAY_SECONDS
/** A channel is recently active while it, or its newest message, is younger than this. */
const ACTIVE_SECONDS = 180 * DAY_SECONDS
/** The weekly average counts messages younger than this. */
export const TRAFFIC_WINDOW_SECONDS = 4 * WEEK_SECONDS

/** The values that a job counts and announces. */
export type ChannelActivity = Pick<Channel, 'isRecentlyActive' | 'weeklyTraffic'>

export interface CountedMessages {
  /** When the newest message was sent, in UNIX seconds; null without messages. */
  readonly lastSentAt: number | null
  /** Number of messages in the last four weeks. */
  readonly recentMessages: number
}

/**
 * Average number of messages a week over the last four weeks or, for a younger channel, over its life; null in the
 * first week (SUB-FIELD-39, 40). Never 0 if there were messages.
 *
 * @param now UNIX seconds
 */
export function activityOf(
  { createdAt }: Pick<Channel, 'createdAt'>,
  counted: CountedMessages,
  now: number,
): ChannelActivity {
  const age = now - createdAt
  const weeks = Math.min(age, TRAFFIC_WINDOW_SECONDS) / WEEK_SECONDS
  const average = Math.max(Math.round(counted.recentMessages / weeks), Math.min(counted.recentMessages, 1))
  return {
    isRecentlyActive: age < ACTIVE_SECONDS || now - (counted.lastSentAt ?? 0) < ACTIVE_SECONDS,
    weeklyTraffic: age < WEEK_SECONDS ? null : average,
  }
}

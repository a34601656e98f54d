import { DAY_SECONDS } from '../clock.ts'
import type { Channel } from './channel.ts'

const WEEK_SECONDS = 7 * DAY_SECONDS
/** A channel is recently active while its newest message, or it itself, is younger. */
const ACTIVE_SECONDS = 180 * DAY_SECONDS
/** Messages younger than this are what the weekly average is taken of. */
export const TRAFFIC_WINDOW_SECONDS = 4 * WEEK_SECONDS

/** What is counted from time to time and told in events. */
export type ChannelActivity = Pick<Channel, 'isRecentlyActive' | 'weeklyTraffic'>

export interface CountedMessages {
  /** When the newest message was sent, UNIX seconds; null without history. */
  readonly lastSentAt: number | null
  /** Messages of the last four weeks. */
  readonly recentMessages: number
}

/**
 * Messages a week, as an average over the last four weeks or, in a younger channel, over its life; null in the first
 * week (SUB-FIELD-39, 40). Never 0 where somebody wrote.
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

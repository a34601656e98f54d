import type { ChannelId } from '../ids.ts'
import type { EditHistoryEntry } from './message.ts'

/** Whether a reader of a message sees what it was while it was in this channel; null: among people, which it never leaves. */
export type SeesPlace = (channelId: ChannelId | null) => boolean

/** A change of a message, and where the message was before and after it. */
export interface PlacedEntry {
  readonly entry: EditHistoryEntry
  readonly wasIn: ChannelId | null
  readonly isIn: ChannelId | null
}

/** The changes of a message in `channelId`, newest first as `history` has them, each with its channels. */
export function placedEntries(history: readonly EditHistoryEntry[], channelId: ChannelId | null): PlacedEntry[] {
  let isIn = channelId
  return history.map((entry) => {
    const wasIn = (entry.prev_stream ?? isIn) as ChannelId | null
    const placed = { entry, wasIn, isIn }
    isIn = wasIn
    return placed
  })
}

/** The change as it is shown to whoever does not see where the message was before: that it came, not where from. */
export function withoutOrigin({ prev_stream: _, prev_topic: __, ...arrival }: EditHistoryEntry): EditHistoryEntry {
  return arrival
}

/**
 * What of `history` a reader of the message in `channelId` is shown: what was changed where they did not see it stays out
 * (DIFF-FORMER-PLACES). The move from there shows where the message came to.
 */
export function historyInSight(
  history: readonly EditHistoryEntry[],
  channelId: ChannelId,
  sees: SeesPlace,
): EditHistoryEntry[] {
  return placedEntries(history, channelId).flatMap(({ entry, wasIn, isIn }) => {
    if (!sees(isIn)) return []
    return sees(wasIn) ? entry : withoutOrigin(entry)
  })
}

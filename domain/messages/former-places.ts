import type { ChannelId } from '../ids.ts'
import type { EditHistoryEntry } from './message.ts'

/** Whether a reader of a message sees its state in this channel; null for direct messages, which never move. */
export type SeesPlace = (channelId: ChannelId | null) => boolean

/** A change of a message, and its place before and after. */
export interface PlacedEntry {
  readonly entry: EditHistoryEntry
  readonly wasIn: ChannelId | null
  readonly isIn: ChannelId | null
}

/** Returns the changes of a message in `channelId`, newest first as in `history`, with their channels. */
export function placedEntries(history: readonly EditHistoryEntry[], channelId: ChannelId | null): PlacedEntry[] {
  let isIn = channelId
  return history.map((entry) => {
    const wasIn = (entry.prev_stream ?? isIn) as ChannelId | null
    const placed = { entry, wasIn, isIn }
    isIn = wasIn
    return placed
  })
}

/** Returns the change for readers who cannot see the former place: that the message came, but not from where. */
export function withoutOrigin({ prev_stream: _, prev_topic: __, ...arrival }: EditHistoryEntry): EditHistoryEntry {
  return arrival
}

/**
 * Returns the part of `history` that a reader of the message in `channelId` may see: changes in channels that the
 * reader cannot see are left out (DIFF-FORMER-PLACES). A move from such a channel shows only where the message came to.
 */
export function visibleHistory(
  history: readonly EditHistoryEntry[],
  channelId: ChannelId,
  sees: SeesPlace,
): EditHistoryEntry[] {
  return placedEntries(history, channelId).flatMap(({ entry, wasIn, isIn }) => {
    if (!sees(isIn)) return []
    return sees(wasIn) ? entry : withoutOrigin(entry)
  })
}

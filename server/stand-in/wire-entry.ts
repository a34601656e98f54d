import type { Schemas } from '../../generated/operations.ts'
import type { JournalEntry } from './journal.ts'

type WireEntry = Schemas['JournalEntry']

/** Converts an entry to its form over HTTP. */
export function entryToWire({ hasKeyInUrl, retryAfter, ...same }: JournalEntry): WireEntry {
  return { ...same, has_key_in_url: hasKeyInUrl, retry_after: retryAfter }
}

/** The reverse, for a stand-in in another process. */
export function entryFromWire({
  has_key_in_url: hasKeyInUrl,
  retry_after: retryAfter,
  ...same
}: WireEntry): JournalEntry {
  return { ...same, hasKeyInUrl, retryAfter }
}

import type { LogEvent } from '../domain/events/log-event.ts'

/** Follows the events of a batch before its commit, as reported by the writer of the log. */
export interface PendingEvents {
  beginBatch(): void
  beginBody(): void
  append(event: LogEvent): void
  /** The events of this body will not be committed. */
  abandonBody(): void
}

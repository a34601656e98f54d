import type { LogEvent } from '../domain/events/log-event.ts'

/** What follows the events of a batch before its commit; the writer of the log tells it. */
export interface PendingEvents {
  beginBatch(): void
  beginBody(): void
  append(event: LogEvent): void
  /** What this body appended will not be committed. */
  abandonBody(): void
}

import type { LogEvent } from '../domain/events/log-event.ts'

/** Follows the events of a batch before its commit. The writer of the log reports them. */
export interface PendingEvents {
  beginBatch(): void
  beginBody(): void
  append(event: LogEvent): void
  /** The events of this body will not be committed. */
  abandonBody(): void
}

import { LRUCache } from 'lru-cache'
import type { LogEvent, LogRecord } from '../domain/events/log-event.ts'
import { heapBytes } from '../domain/heap-bytes.ts'
import type { EventId } from '../domain/ids.ts'
import { EVENT_FORMS_BYTES } from '../domain/limits.ts'

/** Bytes of an entry besides its contents. */
const ENTRY_BYTES = 150

/**
 * Caches recent events and their JSON by variant, made for one client and used for the next. Limited by bytes; the
 * least recently used entries go first, and are made again if needed.
 */
export class EventForms {
  readonly #isRecent: (id: EventId) => boolean
  readonly #events: LRUCache<EventId, LogEvent>
  readonly #json: LRUCache<string, string>

  /**
   * @param isRecent whether many clients may ask for the event now; older events are read again for each client that is
   * far behind
   */
  constructor(isRecent: (id: EventId) => boolean, maxBytes = EVENT_FORMS_BYTES) {
    this.#isRecent = isRecent
    this.#events = new LRUCache({
      maxSize: maxBytes / 2,
      // The look-up of recipients of an edit is as large as their lists (adapt-message-changes.ts).
      sizeCalculation: (event) => ENTRY_BYTES + heapBytes(event) * (event.type === 'update_message' ? 2 : 1),
    })
    this.#json = new LRUCache({
      maxSize: maxBytes / 2,
      sizeCalculation: (json, key) => ENTRY_BYTES + heapBytes(json) + heapBytes(key),
    })
  }

  /** Estimated memory of the forms; never more than `maxBytes`. */
  get bytes(): number {
    return this.#events.calculatedSize + this.#json.calculatedSize
  }

  eventOf({ id, payload }: LogRecord): LogEvent {
    let event = this.#events.get(id)
    if (event === undefined) {
      event = JSON.parse(payload) as LogEvent
      // Keeping an event costs more than reading it once more, above all in garbage collection.
      if (this.#isRecent(id)) this.#events.set(id, event)
    }
    return event
  }

  /** Returns the JSON that all queues with the same variant share. */
  json({ id }: LogRecord, variant: string, make: () => unknown): string {
    const key = `${id} ${variant}`
    let json = this.#json.get(key)
    if (json === undefined) {
      json = JSON.stringify(make())
      this.#json.set(key, json)
    }
    return json
  }
}

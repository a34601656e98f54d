import type { Audience } from '../domain/events/audience.ts'
import type { LogEvent, LoggedEvent } from '../domain/events/log-event.ts'
import type { EventId, MessageId } from '../domain/ids.ts'

/** The counters of the log. */
export interface LogCounters {
  /** Highest IDs used so far; 0 before the first. */
  readonly messageId: MessageId
  readonly eventId: EventId
  /** Bytes of all events ever added to the log. */
  readonly bytes: number
}

interface SearchChange {
  readonly messageId: MessageId
  /** Without terms, searches no longer find the message. */
  readonly terms: string | undefined
}

/** IDs, events and search terms of the bodies that share the next commit. They are stored just before it. */
export class Batch {
  readonly events: LoggedEvent[] = []
  readonly searchChanges: SearchChange[] = []
  counters: LogCounters = { messageId: 0 as MessageId, eventId: 0 as EventId, bytes: 0 }
  /** Bytes of the events that the present body has added. */
  bodyBytes = 0
  /** Increased whenever events leave the batch. */
  #revision = 0

  /** Starts an empty batch. @param counters as stored, which nobody else changes until the commit */
  begin(counters: LogCounters): void {
    this.counters = counters
    this.events.length = 0
    this.searchChanges.length = 0
    this.#revision += 1
  }

  /** Call it before a body. Returns a function that takes back what the body has added. */
  mark(): () => void {
    this.bodyBytes = 0
    const { counters } = this
    const [events, searchChanges] = [this.events.length, this.searchChanges.length]
    return () => {
      if (this.events.length > events) this.#revision += 1
      this.counters = counters
      this.events.length = events
      this.searchChanges.length = searchChanges
    }
  }

  nextMessageId(): MessageId {
    const messageId = (this.counters.messageId + 1) as MessageId
    this.counters = { ...this.counters, messageId }
    return messageId
  }

  append(event: LogEvent, audience: Audience, width: number): void {
    const { eventId } = this.counters
    const payload = JSON.stringify(event)
    this.bodyBytes += Buffer.byteLength(payload) + JSON.stringify(audience).length
    this.events.push({ id: (eventId + 1) as EventId, width, type: event.type, event, payload, audience })
    this.counters = { ...this.counters, eventId: (eventId + width) as EventId }
  }

  /** Returns a function that returns the state after the batch's events. @param before returns it as committed */
  following<State>(before: () => State, add: (state: State, events: readonly LogEvent[]) => State): () => State {
    let [revision, count, state] = [-1, 0, undefined as State]
    return () => {
      if (revision !== this.#revision) [revision, count, state] = [this.#revision, 0, before()]
      if (count < this.events.length) {
        const added = this.events.slice(count).map(({ event }) => event)
        ;[count, state] = [this.events.length, add(state, added)]
      }
      return state
    }
  }
}

import type { LogRecord } from '../domain/events/log-event.ts'
import type { EventId } from '../domain/ids.ts'
import { matchesQueueNarrow } from '../domain/narrow/queue-narrow.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import { eventJson, isInternal } from './adapt.ts'
import { flagsAtSending, messageFor } from './adapt-message.ts'
import type { AnswerEvents } from './answer-events.ts'
import type { Audiences } from './audience.ts'
import { EventForms } from './event-forms.ts'
import type { Queue } from './event-queue.ts'

/** What of the server is in events. */
export type QueueSite = Pick<Site, 'publicUrl' | 'wireValues'>

/** What of the log the client of a queue gets to see, and how: its types, its narrow, its access at the time, its capabilities. */
export class VisibleEvents {
  readonly #audiences: Audiences
  readonly #site: QueueSite
  readonly #forms: EventForms

  /** @param isRecent whether an event is one of those in memory, that all who follow the log are told of */
  constructor(audiences: Audiences, site: QueueSite, isRecent: (id: EventId) => boolean) {
    this.#forms = new EventForms(isRecent)
    this.#audiences = audiences
    this.#site = site
  }

  /** What was made of events and is kept for other queues, in bytes. */
  get formsBytes(): number {
    return this.#forms.bytes
  }

  /** Collects until the answer is full. Returns the position it came to; undefined for an empty page. */
  collect(page: readonly LogRecord[], queue: Queue, into: AnswerEvents): number | undefined {
    let position: number | undefined
    for (const record of page) {
      if (into.isFull) break
      const json = this.#json(queue, record)
      if (json !== undefined) into.add(json)
      position = record.id + record.width - 1
    }
    return position
  }

  /** Undefined for what the queue's client does not see. What decides that without the event's JSON comes first. */
  #json(queue: Queue, record: LogRecord): string | undefined {
    const { type, audience } = record
    const { viewer, descriptor } = queue
    if (isInternal(type)) return undefined
    if (descriptor.eventTypes !== null && !descriptor.eventTypes.includes(type)) return undefined
    if (!this.#audiences.isIn(audience, viewer, record.id, descriptor.allPublicChannels)) return undefined
    const didReceive =
      audience.to !== 'channel' || this.#audiences.wasSubscribed(viewer.id, audience.channelId, record.id)
    const event = this.#forms.eventOf(record)
    if (event.type === 'message' && descriptor.narrow.length > 0) {
      const flags = flagsAtSending(event, viewer.id, didReceive)
      const message = messageFor(event, { userId: viewer.id, publicUrl: this.#site.publicUrl })
      if (!matchesQueueNarrow({ message, flags }, descriptor.narrow)) return undefined
    }
    const receivedMessage = (message: Parameters<Audiences['received']>[1]): boolean =>
      this.#audiences.received(viewer.id, message)
    const role = this.#audiences.roleOf(viewer.id, record.id)
    const recipient = {
      queueId: queue.id,
      userId: viewer.id,
      role,
      descriptor,
      wireValues: this.#site.wireValues,
      publicUrl: this.#site.publicUrl,
      didReceive,
    }
    return eventJson(record, event, { ...recipient, receivedMessage }, this.#forms)
  }
}

import type { LogRecord } from '../domain/events/log-event.ts'
import type { ChannelId, EventId } from '../domain/ids.ts'
import { matchesQueueNarrow } from '../domain/narrow/queue-narrow.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import { eventJson, isInternal } from './adapt.ts'
import { flagsAtSending, messageFor } from './adapt-message.ts'
import type { AnswerEvents } from './answer-events.ts'
import type { Audiences } from './audience.ts'
import { EventForms } from './event-forms.ts'
import type { Queue } from './event-queue.ts'

/** The parts of the server that occur in events. */
export type QueueSite = Pick<Site, 'publicUrl' | 'wireValues'>

/**
 * Decides which part of the log the client of a queue sees, and in which form: by types, narrow, access at the time,
 * and capabilities.
 */
export class VisibleEvents {
  readonly #audiences: Audiences
  readonly #site: QueueSite
  readonly #forms: EventForms

  /** @param isRecent whether an event is still in memory, from where all followers of the log get it */
  constructor(audiences: Audiences, site: QueueSite, isRecent: (id: EventId) => boolean) {
    this.#forms = new EventForms(isRecent)
    this.#audiences = audiences
    this.#site = site
  }

  /** Bytes of the cached forms of events. */
  get formsBytes(): number {
    return this.#forms.bytes
  }

  /**
   * Collects events until the answer is full.
   *
   * @param knownUpTo the client has had these IDs, perhaps a part of the first event
   * @returns the position it reached; undefined for an empty page
   */
  collect(page: readonly LogRecord[], queue: Queue, into: AnswerEvents, knownUpTo = 0): number | undefined {
    let position: number | undefined
    for (const record of page) {
      if (into.isFull) break
      const json = this.#json(queue, record)
      const news = json && record.id <= knownUpTo ? partAfter(knownUpTo, json) : json
      if (news) into.add(news)
      position = record.id + record.width - 1
    }
    return position
  }

  /** Returns undefined if the client does not see the event. Checks that need no JSON of the event come first. */
  #json(queue: Queue, record: LogRecord): string | undefined {
    const { type, audience } = record
    const { userId, descriptor } = queue
    if (isInternal(type)) return undefined
    if (descriptor.eventTypes !== null && !descriptor.eventTypes.includes(type)) return undefined
    if (!this.#audiences.isIn(audience, userId, record.id, descriptor.allPublicChannels)) return undefined
    const event = this.#forms.eventOf(record)
    const channelId = event.type === 'message' ? event.message.stream_id : undefined
    const didReceive =
      channelId === undefined || this.#audiences.wasSubscribed(userId, channelId as ChannelId, record.id)
    if (event.type === 'message' && descriptor.narrow.length > 0) {
      const flags = flagsAtSending(event, userId, didReceive)
      const message = messageFor(event, { userId, publicUrl: this.#site.publicUrl })
      if (!matchesQueueNarrow({ message, flags }, descriptor.narrow)) return undefined
    }
    const receivedMessage = (message: Parameters<Audiences['received']>[1]): boolean =>
      this.#audiences.received(userId, message)
    const role = this.#audiences.roleOf(userId, record.id)
    const recipient = {
      queueId: queue.id,
      userId,
      role,
      descriptor,
      wireValues: this.#site.wireValues,
      publicUrl: this.#site.publicUrl,
      didReceive,
    }
    return eventJson(record, event, { ...recipient, receivedMessage }, this.#forms)
  }
}

/** @param json events, separated by commas */
function partAfter(knownUpTo: number, json: string): string {
  const events = JSON.parse(`[${json}]`) as { readonly id: number }[]
  const rest = events.filter(({ id }) => id > knownUpTo)
  return JSON.stringify(rest).slice(1, -1)
}

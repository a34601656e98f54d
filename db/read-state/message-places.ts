import { chunksOf } from '../../domain/chunks.ts'
import type { LogEvent, LoggedEvent } from '../../domain/events/log-event.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { LISTED } from '../dialect.ts'
import { LogSpan } from '../log-span.ts'
import { ROWS_A_PIECE } from '../pieces.ts'
import type { EventLogReader } from '../repositories/event-log.ts'
import type { Session } from '../session.ts'

/**
 * Returns for each of `ids` the ID of its topic (a row for each spelling), or of its direct group with a minus sign; 0
 * if there is no such message.
 */
export type PlacesOf = (ids: readonly MessageId[], pauses: Pauses) => Promise<readonly number[]>

export function placesInTable(session: Session): PlacesOf {
  return async (ids, pauses) => {
    const placeOf = new Map<MessageId, number>()
    for (const chunk of chunksOf(ids, ROWS_A_PIECE)) {
      const rows = await session.all<{ id: MessageId; topic_id: number | null; direct_group_id: number | null }>(
        `select m.id, m.topic_id, m.direct_group_id
         from ${LISTED[session.dialect]} as wanted cross join message m on m.id = wanted.value`,
        [JSON.stringify(chunk)],
      )
      for (const { id, topic_id: topicId, direct_group_id: groupId } of rows)
        placeOf.set(id, topicId ?? -(groupId ?? 0))
      await pauses.letOthers()
    }
    return ids.map((id) => placeOf.get(id) ?? 0)
  }
}

/** Types of the events that may change the place of a message. */
const CHANGING = ['update_message', 'delete_message'] as const

/** Returns the messages that the event moved or removed. */
function displaced(event: LogEvent): readonly number[] {
  if (event.type === 'delete_message') return event.message_ids
  if (event.type !== 'update_message') return []
  const { message_ids: ids, subject, new_stream_id: channelId } = event.update
  return subject === undefined && channelId === undefined ? [] : ids
}

/** A million IDs in a row: 12 MiB. */
const SLOTS = 2 ** 20

/**
 * Places of messages in memory, in their state at the end of the log. A place is read when it is first wanted, and again
 * after an event about it.
 */
export class MessagePlaces {
  readonly #span = new LogSpan()
  /** The message in each slot, which is the ID modulo SLOTS. Memory that was never written to is not resident. */
  #ids = new Float64Array(SLOTS)
  readonly #places = new Int32Array(SLOTS)
  /** Changes with each event that changes a place. */
  #version = 0

  /** Starts or restarts following the log at this position. */
  start(position: number): void {
    this.forget()
    this.#span.start(position)
  }

  /** Call it for all events, in the order of the log, before anybody learns of their commit. */
  follow(events: readonly LoggedEvent[]): void {
    for (const logged of events) {
      const ids = displaced(logged.event)
      this.#span.follow(logged, ids.length > 0)
      if (ids.length > 0) this.#version += 1
      for (const id of ids) if (this.#has(id)) this.#ids[id % SLOTS] = 0
    }
  }

  forget(): void {
    this.#version += 1
    this.#ids = new Float64Array(SLOTS)
  }

  /** @param head of the log in `session` */
  async at(
    session: Session,
    log: EventLogReader,
    head: number,
    ids: readonly MessageId[],
    pauses: Pauses,
  ): Promise<readonly number[]> {
    const inTable = placesInTable(session)
    if (!(await this.#span.covers(log, head, CHANGING))) return inTable(ids, pauses)
    const version = this.#version
    // Captured now, because others may use the same slots during the pauses.
    const known = ids.map((id) => (this.#has(id) ? this.#places[id % SLOTS] : undefined))
    const unknown = ids.filter((_, index) => known[index] === undefined)
    if (unknown.length === 0) return known as number[]
    const read = await inTable(unknown, pauses)
    // Because of the pauses, the places may come from several moments, so no event between the first and the last moment
    // may concern places.
    const { eventId } = await log.head()
    const isPresent = await this.#span.covers(log, eventId, CHANGING)
    if (version === this.#version && isPresent) {
      for (const [index, id] of unknown.entries()) {
        const place = read[index] ?? 0
        this.#places[id % SLOTS] = place
        this.#ids[id % SLOTS] = this.#places[id % SLOTS] === place ? id : 0 // not kept if it has more than 31 bits
      }
    }
    const rest = read.values()
    return known.map((place) => place ?? rest.next().value ?? 0)
  }

  #has(id: number): boolean {
    return this.#ids[id % SLOTS] === id
  }
}

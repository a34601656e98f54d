import type { JournalEntry } from './journal.ts'

/** A call that breaks a rule, and how. */
export interface Found {
  readonly entry: JournalEntry
  readonly what: string
}

interface Poll {
  readonly entry: JournalEntry
  readonly queueId: string
  /** Undefined if the client sent none. */
  readonly lastEventId: number | undefined
  /** IDs of the events that were answered. */
  readonly eventIds: readonly number[]
}

export function isPoll({ operation }: JournalEntry): boolean {
  return operation === 'get-events'
}

/** Whether the answer to `one` had left before `other` arrived, so that the client can have known it. */
export function isKnownTo({ outcome, ended }: JournalEntry, other: JournalEntry): boolean {
  return outcome === 'answered' && ended !== null && ended <= other.at
}

/** Returns the first poll of each queue that acknowledges less than the client was given, and each later one. */
export function unacknowledgedEvents(entries: readonly JournalEntry[]): Found[] {
  const polls = pollsOf(entries)
  return polls.flatMap(({ entry, queueId, lastEventId }) => {
    const known = polls.filter((other) => other.queueId === queueId && isKnownTo(other.entry, entry))
    const given = Math.max(-1, ...known.flatMap(({ eventIds }) => eventIds))
    if ((lastEventId ?? -1) >= given) return []
    const what = `The queue has delivered event ${given}, and last_event_id is ${lastEventId ?? 'absent'}.`
    return [{ entry, what }]
  })
}

/**
 * Returns first polls of a queue with an ID that its registration did not return, from accounts that had another queue
 * before.
 */
export function carriedEventIds(entries: readonly JournalEntry[]): Found[] {
  const polls = pollsOf(entries)
  return entries.flatMap((registration) => {
    const { queue_id: queueId, last_event_id: told } = registered(registration)
    const first = polls.find((poll) => poll.queueId === queueId)
    if (queueId === undefined || !first || first.lastEventId === undefined) return []
    const { lastEventId, entry } = first
    const isOwn = lastEventId === told || lastEventId === -1
    const before = polls.filter(
      (poll) => poll.entry.user === entry.user && poll.queueId !== queueId && poll.entry.number < registration.number,
    )
    const earlier = entries.filter(({ user, number }) => user === entry.user && number < registration.number)
    const seen = [...before.flatMap(({ eventIds }) => eventIds), ...earlier.map((one) => registered(one).last_event_id)]
    if (isOwn || !seen.includes(lastEventId)) return []
    return [{ entry, what: `The queue began after event ${told}, and last_event_id ${lastEventId} is of another one.` }]
  })
}

export function deadQueuesPolled(entries: readonly JournalEntry[]): Found[] {
  const polls = pollsOf(entries)
  const isDead = ({ entry }: Poll): boolean => entry.code === 'BAD_EVENT_QUEUE_ID'
  return polls
    .filter(({ entry, queueId }) =>
      polls.some((other) => other.queueId === queueId && isDead(other) && isKnownTo(other.entry, entry)),
    )
    .map(({ entry, queueId }) => ({ entry, what: `The queue ${queueId} had been refused with BAD_EVENT_QUEUE_ID.` }))
}

/** Returns polls that arrive while another one of the queue waits whose client is still connected. */
export function pollsAtOnce(entries: readonly JournalEntry[]): Found[] {
  const polls = pollsOf(entries)
  return polls.flatMap(({ entry, queueId }) => {
    const other = polls.find(
      (poll) =>
        poll.queueId === queueId &&
        poll.entry.number < entry.number &&
        poll.entry.outcome !== 'dropped' &&
        (poll.entry.ended ?? Number.POSITIVE_INFINITY) > entry.at,
    )
    return other ? [{ entry, what: `Call ${other.entry.number} was waiting for events of the same queue.` }] : []
  })
}

function registered({ operation, answer }: JournalEntry): { queue_id?: string; last_event_id?: number } {
  return operation === 'register-queue' ? ((answer ?? {}) as object) : {}
}

function pollsOf(entries: readonly JournalEntry[]): Poll[] {
  return entries.filter(isPoll).map((entry) => {
    const { queue_id: queueId = '', last_event_id: last } = entry.parameters
    const { events = [] } = (entry.answer ?? {}) as { events?: readonly { readonly id: number }[] }
    const lastEventId = last === undefined || last === '' ? undefined : Number(last)
    return { entry, queueId, lastEventId, eventIds: events.map(({ id }) => id) }
  })
}

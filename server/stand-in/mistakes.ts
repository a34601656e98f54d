import type { JournalEntry } from './journal.ts'

/** Shorter gaps do not count as a pause. */
const NO_PAUSE_MS = 100
/** One immediate retry is right, because proxies close idle connections. */
const HURRIED_TRIES = 2
/** Tolerance, because clients wait by another clock. */
const EARLY_MS = 50
/** One more than chance and a retry can explain. */
const SAME_REFUSALS = 3
/** Refusals with rules of their own: rate limits, and queues that have ended. */
const OWN_RULES: readonly (string | null)[] = ['RATE_LIMIT_HIT', 'BAD_EVENT_QUEUE_ID']

/** Behaviour of a client that works in a test and fails its users. */
export interface Mistake {
  /** Short name of the rule, for `except`. */
  readonly rule: RuleName
  /** The call that was wrong: parts of its journal entry. */
  readonly request: Pick<JournalEntry, 'number' | 'operation' | 'method' | 'path' | 'parameters'>
  /** Description of the mistake. */
  readonly what: string
  /** The right behaviour. */
  readonly remedy: string
}

/** A call that breaks a rule, and how. */
interface Found {
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

interface Rule {
  readonly remedy: string
  find(entries: readonly JournalEntry[]): Found[]
}

export const RULES = {
  'event-not-acknowledged': {
    remedy: 'Send as last_event_id the highest id of the events that you were given: otherwise each comes again.',
    find: unacknowledgedEvents,
  },
  'event-id-of-another-queue': {
    remedy: 'Begin a new queue with the last_event_id that POST /register answered with it, or with -1.',
    find: carriedEventIds,
  },
  'dead-queue-polled': {
    remedy: 'After BAD_EVENT_QUEUE_ID register anew and read the present state; the old queue never comes back.',
    find: deadQueuesPolled,
  },
  'polls-at-once': {
    remedy: 'Wait for the answer of one GET /events before the next: the server ends the older poll without events.',
    find: pollsAtOnce,
  },
  'poll-without-pause': {
    remedy: 'Pause after a poll that failed, longer each time and by a random part, so that a server that starts can.',
    find: hurriedPolls,
  },
  'register-without-pause': {
    remedy: 'Register once and poll the queue; pause before another registration, longer each time.',
    find: hurriedRegistrations,
  },
  'retry-after-ignored': {
    remedy: 'After a 429 wait for the seconds of Retry-After before the next call.',
    find: ignoredRetryAfter,
  },
  'refusal-repeated': {
    remedy: 'Look at the code of a refusal and change the call, or tell the user: the same call is refused again.',
    find: repeatedRefusals,
  },
  'key-in-url': {
    remedy: 'Send the key in Authorization: URLs end in logs and histories.',
    find: keysInUrls,
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleName = keyof typeof RULES

/** @returns in the order of the calls */
export function mistakesOf(entries: readonly JournalEntry[]): Mistake[] {
  const found = Object.entries(RULES).flatMap(([name, { remedy, find }]) =>
    find(entries).map(({ entry: { number, operation, method, path, parameters }, what }) => {
      return { rule: name as RuleName, request: { number, operation, method, path, parameters }, what, remedy }
    }),
  )
  return found.toSorted((one, other) => one.request.number - other.request.number)
}

/** For people: one paragraph each. */
export function mistakesText(mistakes: readonly Mistake[]): string {
  return mistakes
    .map(({ rule, request, what, remedy }) => {
      const { number, method, path, parameters } = request
      const sent = new URLSearchParams(parameters).toString()
      return `${rule}: call ${number}, ${method} ${path}${sent === '' ? '' : ` with ${sent}`}\n  ${what}\n  ${remedy}`
    })
    .join('\n\n')
}

function keysInUrls(entries: readonly JournalEntry[]): Found[] {
  return entries
    .filter(({ hasKeyInUrl }) => hasKeyInUrl)
    .map((entry) => ({ entry, what: 'The query of the URL has an api_key.' }))
}

function isPoll({ operation }: JournalEntry): boolean {
  return operation === 'get-events'
}

/** Whether the answer to `one` had left before `other` arrived, so that the client can have known it. */
function isKnownTo({ outcome, ended }: JournalEntry, other: JournalEntry): boolean {
  return outcome === 'answered' && ended !== null && ended <= other.at
}

/** Returns the polls that acknowledge less of their queue than the client was given. */
function unacknowledgedEvents(entries: readonly JournalEntry[]): Found[] {
  const byQueue = Map.groupBy(pollsOf(entries), ({ queueId }) => queueId)
  return [...byQueue.values()].flatMap((polls) => {
    let given = -1
    let unknown: Poll[] = []
    return polls.flatMap((poll) => {
      const { entry, lastEventId } = poll
      const known = unknown.filter((other) => isKnownTo(other.entry, entry))
      for (const id of known.flatMap(({ eventIds }) => eventIds)) given = Math.max(given, id)
      unknown = unknown.filter((other) => !known.includes(other))
      if (entry.outcome === 'answered') unknown.push(poll)
      if ((lastEventId ?? -1) >= given) return []
      const what = `The queue has delivered event ${given}, and last_event_id is ${lastEventId ?? 'absent'}.`
      return [{ entry, what }]
    })
  })
}

/**
 * Returns first polls of a queue with an ID that its registration did not return, from accounts that had another queue
 * before.
 */
function carriedEventIds(entries: readonly JournalEntry[]): Found[] {
  const polls = pollsOf(entries)
  return entries.flatMap((registration) => {
    const { queue_id: queueId, last_event_id: told } = registered(registration)
    const first = queueId === undefined ? undefined : polls.find((poll) => poll.queueId === queueId)
    if (first?.lastEventId === undefined) return []
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

function deadQueuesPolled(entries: readonly JournalEntry[]): Found[] {
  const polls = pollsOf(entries)
  const refused = polls.filter(({ entry }) => entry.code === 'BAD_EVENT_QUEUE_ID')
  return polls
    .filter(({ entry, queueId }) => refused.some((other) => other.queueId === queueId && isKnownTo(other.entry, entry)))
    .map(({ entry, queueId }) => ({ entry, what: `The queue ${queueId} had been refused with BAD_EVENT_QUEUE_ID.` }))
}

/** Returns polls that arrive while another one of the queue waits whose client is still connected. */
function pollsAtOnce(entries: readonly JournalEntry[]): Found[] {
  const byQueue = Map.groupBy(pollsOf(entries), ({ queueId }) => queueId)
  return [...byQueue.values()].flatMap((polls) => {
    let open: JournalEntry[] = []
    return polls.flatMap(({ entry }) => {
      open = open.filter(({ ended }) => (ended ?? Number.POSITIVE_INFINITY) > entry.at)
      const [other] = open
      if (entry.outcome !== 'dropped') open.push(entry)
      return other ? [{ entry, what: `Call ${other.number} was waiting for events of the same queue.` }] : []
    })
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

/** Returns polls of a queue that come right after a failed one, from the second in a row on. */
function hurriedPolls(entries: readonly JournalEntry[]): Found[] {
  const byQueue = Map.groupBy(entries.filter(isPoll), ({ user, parameters }) => `${user} ${parameters.queue_id}`)
  return [...byQueue.values()].flatMap((polls) => {
    let hurried = 0
    return polls.flatMap((entry, index) => {
      const before = polls[index - 1]
      if (before?.ended == null || !hasFailed(before)) {
        hurried = 0
        return []
      }
      const pauseMs = entry.at - before.ended
      hurried = pauseMs >= 0 && pauseMs < NO_PAUSE_MS ? hurried + 1 : 0
      if (hurried < HURRIED_TRIES) return []
      return [{ entry, what: `It came ${Math.round(pauseMs)} ms after a poll that failed, as the one before.` }]
    })
  })
}

/** Returns registrations that come right after another without a successful poll, from the second in a row on. */
function hurriedRegistrations(entries: readonly JournalEntry[]): Found[] {
  return [...byUser(entries).values()].flatMap((calls) => {
    let before: JournalEntry | undefined
    let hurried = 0
    return calls.flatMap((entry) => {
      if (isPoll(entry) && entry.status === 200) before = undefined
      if (entry.operation !== 'register-queue') return []
      hurried = before && entry.at - (before.ended ?? entry.at) < NO_PAUSE_MS ? hurried + 1 : 0
      before = entry
      if (hurried < HURRIED_TRIES) return []
      return [{ entry, what: 'It came right after another registration, as the one before.' }]
    })
  })
}

/** Returns the first call of the same kind that comes too early after a 429. */
function ignoredRetryAfter(entries: readonly JournalEntry[]): Found[] {
  return entries.flatMap((refused) => {
    const { status, retryAfter, ended, user, operation } = refused
    if (status !== 429 || retryAfter === null || ended === null) return []
    const early = entries.find(
      (entry) =>
        entry.user === user &&
        entry.operation === operation &&
        isKnownTo(refused, entry) &&
        entry.at - ended < retryAfter * 1000 - EARLY_MS,
    )
    if (!early) return []
    const seconds = ((early.at - ended) / 1000).toFixed(2)
    const what = `Call ${refused.number} was answered 429 with Retry-After ${retryAfter}, and this came ${seconds} s later.`
    return [{ entry: early, what }]
  })
}

/** Returns the third identical refusal of the same call in a row, and each after it. */
function repeatedRefusals(entries: readonly JournalEntry[]): Found[] {
  return [...byUser(entries).values()].flatMap((calls) => {
    let same = 0
    return calls.flatMap((entry, index) => {
      const before = calls[index - 1]
      const isRefusal = isOfTheCall(entry) && !OWN_RULES.includes(entry.code)
      same = isRefusal ? (before && isSame(before, entry) ? same + 1 : 1) : 0
      if (same < SAME_REFUSALS) return []
      return [{ entry, what: `It is the ${same}th time in a row that this call is answered ${entry.code}.` }]
    })
  })
}

function hasFailed({ outcome, status, code }: JournalEntry): boolean {
  if (OWN_RULES.includes(code)) return false
  return outcome === 'dropped' || (status ?? 0) >= 400
}

function isOfTheCall({ status }: JournalEntry): boolean {
  return status !== null && status >= 400 && status < 500
}

function isSame(one: JournalEntry, other: JournalEntry): boolean {
  return fingerprint(one) === fingerprint(other)
}

function fingerprint({ method, path, parameters, variant, code }: JournalEntry): string {
  return JSON.stringify([method, path, Object.entries(parameters).toSorted(), variant, code])
}

function byUser(entries: readonly JournalEntry[]): Map<number | null, JournalEntry[]> {
  return Map.groupBy(entries, ({ user }) => user)
}

import type { JournalEntry } from './journal.ts'
import { hurriedPolls, hurriedRegistrations, ignoredRetryAfter, repeatedRefusals } from './mistakes-of-haste.ts'
import {
  carriedEventIds,
  deadQueuesPolled,
  type Found,
  pollsAtOnce,
  unacknowledgedEvents,
} from './mistakes-with-queues.ts'

/** Behaviour of a client that works in a test and fails its users. */
export interface Mistake {
  /** Short name of the rule, for `except`. */
  readonly rule: RuleName
  /** The call that was wrong: parts of its journal entry. */
  readonly request: Pick<JournalEntry, 'number' | 'operation' | 'method' | 'path' | 'parameters'>
  /** What the client did. */
  readonly what: string
  /** What to do instead. */
  readonly remedy: string
}

export type RuleName =
  | 'event-not-acknowledged'
  | 'event-id-of-another-queue'
  | 'dead-queue-polled'
  | 'polls-at-once'
  | 'poll-without-pause'
  | 'register-without-pause'
  | 'retry-after-ignored'
  | 'refusal-repeated'
  | 'key-in-url'

interface Rule {
  readonly remedy: string
  find(entries: readonly JournalEntry[]): Found[]
}

export const RULES: Readonly<Record<RuleName, Rule>> = {
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
}

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

import type { JournalEntry } from './journal.ts'
import { type Found, isKnownTo, isPoll } from './mistakes-with-queues.ts'

/** Shorter gaps do not count as a pause. */
const NO_PAUSE_MS = 100
/** One immediate retry is right, because proxies close idle connections. */
const HURRIED_TRIES = 2
/** Tolerance, because clients wait by another clock. */
const EARLY_MS = 50
/** One more than chance and a retry explain. */
const SAME_REFUSALS = 3
/** Refusals with rules of their own: rate limits, and queues that have ended. */
const OWN_RULES: readonly (string | null)[] = ['RATE_LIMIT_HIT', 'BAD_EVENT_QUEUE_ID']

/** Returns the second immediate poll after a failed one in a row, and each after it. */
export function hurriedPolls(entries: readonly JournalEntry[]): Found[] {
  return [...byUser(entries.filter(isPoll)).values()].flatMap((polls) => {
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

/** Returns the second immediate registration in a row without a successful poll in between, and each after it. */
export function hurriedRegistrations(entries: readonly JournalEntry[]): Found[] {
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
export function ignoredRetryAfter(entries: readonly JournalEntry[]): Found[] {
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
export function repeatedRefusals(entries: readonly JournalEntry[]): Found[] {
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

function fingerprint({ method, path, parameters, code }: JournalEntry): string {
  return JSON.stringify([method, path, Object.entries(parameters).toSorted(), code])
}

function byUser(entries: readonly JournalEntry[]): Map<number | null, JournalEntry[]> {
  return Map.groupBy(entries, ({ user }) => user)
}

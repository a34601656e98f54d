import type { Login } from './api-client.ts'
import type { Failure } from './failures.ts'
import type { JournalEntry } from './journal.ts'
import type { Mistake } from './mistakes.ts'

export interface ResetOptions {
  /** Whether a snapshot is forgotten. */
  readonly to?: 'start' | undefined
}

/** What a test does to its server, and asks of it: in this process, or over HTTP. */
export interface Verbs {
  /** Moves the server's clock forward and does what is due by then: expiry, deliveries, heartbeats, retention. */
  advance(ms: number): Promise<void>
  /** Ends all event queues, as if nobody had asked for them in time. @returns how many */
  expireQueues(): Promise<number>
  /** The next calls fail, are dropped or delayed. Several failures wait in line. */
  failNext(failure: Failure): Promise<void>
  /** From here on each account may call so often a minute; null for no limit, which is how a stand-in begins. */
  limitRates(callsAMinute: number | null): Promise<void>
  /** Clients are told of no events until {@link resumeEvents}: polls wait, without heartbeats. */
  pauseEvents(): Promise<void>
  resumeEvents(): Promise<void>
  /** Ends the server as an operator does, and starts it again at the same address. Queues survive; failures and limits stay. */
  restart(): Promise<void>
  /** Notes how everything is now: the database, uploaded files, the clock. */
  snapshot(): Promise<void>
  /** Goes back to the last snapshot, or to the start; nothing fails, and the journal begins anew. */
  reset(options?: ResetOptions): Promise<void>
  /** A new member of the organization. */
  newUser(fullName: string): Promise<Login>
  requests(): Promise<readonly JournalEntry[]>
  mistakes(): Promise<readonly Mistake[]>
}

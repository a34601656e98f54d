import type { Login } from './api-client.ts'
import type { Failure } from './failures.ts'
import type { JournalEntry } from './journal.ts'

export interface ResetOptions {
  /** Whether to drop the snapshot. */
  readonly to?: 'start' | undefined
}

/** The actions and queries of a test on its server, in this process or over HTTP. */
export interface Verbs {
  /**
   * Moves the server's clock forward and does everything that is due by then: expiry, deliveries, heartbeats,
   * retention.
   */
  advance(ms: number): Promise<void>
  /** Ends all event queues as if they had expired. @returns how many */
  expireQueues(): Promise<number>
  /** Lets the next calls fail, drops or delays them. Several failures are used in order. */
  failNext(failure: Failure): Promise<void>
  /** Limits the calls of each account a minute; null for no limit, which is the default. */
  limitRates(callsAMinute: number | null): Promise<void>
  /** Delivers no events until {@link resumeEvents}: polls wait, without heartbeats. */
  pauseEvents(): Promise<void>
  resumeEvents(): Promise<void>
  /**
   * Stops the server as an operator does, and starts it again at the same address. Queues survive; failures and limits
   * stay.
   */
  restart(): Promise<void>
  /** Saves the present state: database, uploaded files, clock. */
  snapshot(): Promise<void>
  /** Returns to the last snapshot, or to the start; removes failures and clears the journal. */
  reset(options?: ResetOptions): Promise<void>
  /** Creates a member of the organization. */
  newUser(fullName: string): Promise<Login>
  requests(): Promise<readonly JournalEntry[]>
}

import type { RandomBytes } from './deployment/deployment.ts'
import type { PushRelay } from './deployment/push-relay.ts'
import type { Check, CheckResult } from './kernel/check.ts'
import type { Expectation } from './kernel/check-context.ts'
import type { Login } from './wire/http.ts'
import type { Send } from './wire/node-sender.ts'

/**
 * quick: everything, but asks only one operation the questions that are the same for each. Takes minutes where all
 * would take a quarter of an hour.
 */
export type RunProfile = 'quick' | 'all'

/** Requests of a run against Parley. */
const usualRequests = { all: 19_500, quick: 7200 } as const

/**
 * Estimates from the fastest answer how long a run of all checks takes: four requests are under way at a time, and an
 * answer takes half as long again as the fastest (measured with 100 ms added to each).
 */
export function minutesFor(profile: keyof typeof usualRequests, answerMs: number): number {
  return 1 + (usualRequests[profile] * 1.5 * answerMs) / 4 / 60_000
}

/** Maximum duration of a run, unless it is asked for more. */
export const MAX_MINUTES = 10

export interface Selection {
  /**
   * Default: quick on a server that limits requests or is slow, if no checks are named and there is no budget;
   * otherwise all.
   */
  readonly profile?: RunProfile
  /** Checks to run: ids or their beginning up to a slash, areas, requirement ids or operation ids; empty means all. */
  readonly only?: readonly string[]
  /** Checks to leave out, named in the same way. */
  readonly skip?: readonly string[]
}

/** Describes what a run is going to do. */
export interface Start {
  readonly url: string
  readonly featureLevel: number
  readonly seed: number
  readonly profile: RunProfile
  /** Whether answers show that the server limits requests. */
  readonly isLimited: boolean
  /** Time that the fastest answer took so far, in milliseconds. */
  readonly answerMs: number
  readonly checks: number
  /** Number of all checks. */
  readonly of: number
}

export interface ConformanceOptions extends Selection {
  /** Address of the server, without `/api/v1`. */
  readonly url: string
  /** At least one; most checks need an administrator among them. */
  readonly logins: readonly Login[]
  /**
   * Milliseconds after which no check starts. Cheap checks start first; if all have run and time is left, more values
   * are generated.
   */
  readonly budgetMs?: number
  /** An integer; the same seed generates the same values. */
  readonly seed?: number
  /** Maximum time for an event to arrive, in milliseconds; default 20,000. */
  readonly patienceMs?: number
  /** Maximum time for shrinking a counterexample, in milliseconds; default: `patienceMs`. */
  readonly shrinkMs?: number
  /**
   * Makes names and passwords, instead of `randomBytes`. Together with the seed and the answers it determines all
   * requests.
   */
  readonly random?: RandomBytes
  /** Sends the requests, instead of Node. */
  readonly sender?: Send
  /** Listens where the server has its push service, for checks of how the server handles the service's answers. */
  readonly pushRelay?: PushRelay
  /** Path to a counterexample of the only check. */
  readonly path?: string
  /** Whether deviations, and expected failures that pass, count as failures. */
  readonly strict?: boolean
  /** Replaces the suite's checks. */
  readonly checks?: readonly Check[]
  /** Keeps people, channels and messages, and is called with the credentials of the people. */
  readonly onKept?: (logins: readonly Login[]) => void
  /** Ids of checks that are known to fail. */
  readonly expectedFailures?: ReadonlySet<string>
  /** Called before the first check, with what is going to run. */
  readonly onStart?: (start: Start) => void
  /** Called after each check, in the order in which they end. */
  readonly onResult?: (result: CheckResult, progress: { done: number; of: number }) => void
  /** Called with each statement of a check about an answer, at that moment. */
  readonly onExpectation?: (expectation: Expectation) => void
  /** Ends the run: no check starts, running ones are left out, and what was created is removed. */
  readonly signal?: AbortSignal
}

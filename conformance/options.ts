import type { RandomBytes } from './deployment/deployment.ts'
import type { PushRelay } from './deployment/push-relay.ts'
import type { Check, CheckResult, Profile } from './kernel/check.ts'
import type { Expectation } from './kernel/check-context.ts'
import type { Login } from './wire/http.ts'
import type { Send } from './wire/node-sender.ts'

/** quick: all but what is asked of each operation in the same way, which one stands for then. Minutes under rate limits. */
export type RunProfile = Profile | 'quick' | 'all'

export interface Selection {
  /** Default: quick at a server with rate limits, where no checks are named and there is no budget; otherwise all. */
  readonly profile?: RunProfile
  /** Checks to run: ids or their parts up to a slash, areas, requirement ids or operation ids; empty means all. */
  readonly only?: readonly string[]
  /** Checks to leave out, named in the same way. */
  readonly skip?: readonly string[]
}

/** What a run is going to do. */
export interface Start {
  readonly url: string
  readonly featureLevel: number
  readonly seed: number
  readonly profile: RunProfile
  /** Whether answers show that the server limits requests. */
  readonly isLimited: boolean
  readonly checks: number
  /** How many checks there are in all. */
  readonly of: number
}

export interface ConformanceOptions extends Selection {
  /** Address of the server, without `/api/v1`. */
  readonly url: string
  /** At least one; most checks need an administrator among them. */
  readonly logins: readonly Login[]
  /**
   * Milliseconds after which no check begins any more. What takes little begins first; where all have run and time is
   * left, more values are generated.
   */
  readonly budgetMs?: number
  /** A whole number; the same one generates the same values. */
  readonly seed?: number
  /** Milliseconds that an event may take to arrive; default 20,000. */
  readonly patienceMs?: number
  /** Milliseconds for making a counterexample smaller; default: as long as for an event. */
  readonly shrinkMs?: number
  /** Makes names and passwords, instead of `randomBytes`: with it, the seed and the answers, the requests are given. */
  readonly random?: RandomBytes
  /** Sends the requests, instead of Node. */
  readonly sender?: Send
  /** Listens where the server has its push service, for checks of what the server makes of its answers. */
  readonly pushRelay?: PushRelay
  /** Path to a counterexample of the only check. */
  readonly path?: string
  /** Counts deviations, and checks that pass although they are expected to fail, as failures. */
  readonly strict?: boolean
  /** Instead of those of the suite. */
  readonly checks?: readonly Check[]
  /** Leaves people, channels and messages where they are, and hears of the credentials of the people. */
  readonly onKept?: (logins: readonly Login[]) => void
  /** Ids of checks that are known to fail. */
  readonly expectedFailures?: ReadonlySet<string>
  /** Called before the first check, with what is going to run. */
  readonly onStart?: (start: Start) => void
  /** Called after each check, in the order in which they end. */
  readonly onResult?: (result: CheckResult, progress: { done: number; of: number }) => void
  /** Called with everything that checks say of answers, when they say it. */
  readonly onExpectation?: (expectation: Expectation) => void
  /** Ends the run: no check begins any more, those under way are left out, and what was made is removed. */
  readonly signal?: AbortSignal
}

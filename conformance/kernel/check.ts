import type { CheckContext } from './check-context.ts'
import type { Finding } from './finding.ts'

/** Of a check. core: messages, people and channels; events: event queues; admin: what takes an administrator. */
export type Profile = 'core' | 'events' | 'admin'

/** One thing that a server must do, and how that is seen from outside. */
export interface Check {
  /** `file/what`, such as `reactions/add`. Never renamed: lists of expected failures name it. */
  readonly id: string
  readonly title: string
  /** Under which heading reports list it. */
  readonly area: string
  readonly profile: Profile
  /** Ids of requirements.yaml or own-rules.ts; the result says for which of them it found nothing to look at. */
  readonly requirements: readonly string[]
  /** More of these, which it looks at when answers give a reason to. */
  readonly also?: readonly string[]
  /**
   * More of these, of what not every server has, such as a channel with hundreds of subscribers: where Parley's own answers
   * do not show it, a fault does.
   */
  readonly conditional?: readonly string[]
  /** Operations whose own behaviour it shows, beside those of its requirements and the one that its id names. */
  readonly shows?: readonly string[]
  /** Operations that it cannot do without. */
  readonly operations: readonly string[]
  /**
   * Milliseconds that it waits, at most, while nothing happens. It begins at once and runs beside the others, with people
   * of its own; where the budget is smaller it is left out.
   */
  readonly waitsMs?: number
  /** Sends nothing: it watches what the others send, begins with the run, and ends after them. */
  readonly isWitness?: true
  /** Puts a question to one operation, or to all, that is put to each; in a quick run one operation stands for the others. */
  readonly asksEach?: true
  /** Takes long, or many requests; under a budget it begins after what takes little. */
  readonly isCostly?: boolean
  /** Changes what holds for everybody: it begins when the others have ended, and nothing runs beside it. */
  readonly isForAll?: true
  /**
   * Moves the clock of a server that was started for tests: it begins when all others have ended, witnesses too, and nothing runs
   * beside it. With other servers it waits, in the time that the rest says, or is left out.
   */
  readonly movesClock?: true
  /** Begins before the others, while few of the people are there whom a run makes. */
  readonly isFirst?: boolean
  run(t: CheckContext): Promise<void>
}

/** broken: the suite itself made a mistake, which says nothing about the server. */
export type Outcome = 'passed' | 'failed' | 'deviation' | 'left out' | 'broken'

export interface CheckResult {
  readonly check: Check
  readonly outcome: Outcome
  readonly findings: readonly Finding[]
  /** Behaviour in which deployed servers are known to differ from the contract. */
  readonly deviations: readonly Finding[]
  /** Why it is left out, the suite's own error where it is broken, or requirements of it that were: `LEVEL-300: …`. */
  readonly reasons: readonly string[]
  /** Requirements against which an answer was held. */
  readonly asserted: readonly string[]
  readonly durationMs: number
  /** The list of expected failures names it. */
  readonly isExpected: boolean
}

/** `ids('MSG-GET', [1, 2])` are `MSG-GET-1` and `MSG-GET-2`. */
export function ids(prefix: string, numbers: readonly number[]): string[] {
  return numbers.map((number) => `${prefix}-${number}`)
}

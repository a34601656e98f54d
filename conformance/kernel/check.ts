import type { CheckContext } from './check-context.ts'
import type { Finding } from './finding.ts'

/** A behaviour that a server must have, and how to see it from outside. */
export interface Check {
  /** `file/what`, such as `reactions/add`. Never renamed, because lists of expected failures contain it. */
  readonly id: string
  readonly title: string
  /** The heading under which reports list it; one of requirements.yaml, if one fits. */
  readonly area: string
  /**
   * Ids of requirements.yaml, of own-rules.ts, or of operations; the requirement of an operation is what the contract
   * says about it. The result names the ids for which the check found nothing to compare.
   */
  readonly requirements: readonly string[]
  /** Further ids, checked only if the answers call for it, or under another id. */
  readonly also?: readonly string[]
  /**
   * Further ids, about things that not every server has, such as a channel with hundreds of subscribers. If Parley's
   * own answers do not show one, a seeded fault does.
   */
  readonly conditional?: readonly string[]
  /**
   * Maximum time that the check waits while nothing happens, in milliseconds. It starts at once and runs beside the
   * others, with people of its own; if the budget is smaller, it is left out.
   */
  readonly waitsMs?: number
  /** Sends nothing: it watches the exchanges of the others, starts with the run, and ends after them. */
  readonly isWitness?: true
  /**
   * The operation that is asked what the same checks ask all others, or `all`; in a quick run one stands for the
   * others.
   */
  readonly asksEach?: string
  /** Takes long, or many requests; under a budget it starts after the cheap ones. */
  readonly isCostly?: boolean
  /** Changes settings of everybody: it starts when the others have ended, and nothing runs beside it. */
  readonly isForAll?: true
  /**
   * Moves the clock of a server for tests: it starts when all others have ended, witnesses too, and nothing runs beside
   * it. On other servers it waits in real time while the rest runs, or is left out.
   */
  readonly movesClock?: true
  /** Starts before the others, while the run has created few people. */
  readonly isFirst?: boolean
  run(t: CheckContext): Promise<void>
}

/** A check as it is written: without an area it has the heading of its first requirement. */
export type WrittenCheck = Omit<Check, 'area'> & Partial<Pick<Check, 'area'>>

/** broken: the suite itself made a mistake, which says nothing about the server. */
export type Outcome = 'passed' | 'failed' | 'deviation' | 'left out' | 'broken'

export interface CheckResult {
  readonly check: Check
  readonly outcome: Outcome
  readonly findings: readonly Finding[]
  /** Behaviour in which deployed servers are known to differ from the contract. */
  readonly deviations: readonly Finding[]
  /**
   * Why it is left out, the suite's own error if it is broken, or its requirements that were left out: `LEVEL-300: …`.
   */
  readonly reasons: readonly string[]
  /** Requirements that were checked against an answer. */
  readonly asserted: readonly string[]
  readonly durationMs: number
  /** Whether the list of expected failures contains it. */
  readonly isExpected: boolean
}

/** Whether the result fails the run. @param isStrict whether deviations do */
export function fails({ outcome, isExpected }: CheckResult, isStrict: boolean): boolean {
  return (outcome === 'failed' && !isExpected) || (isStrict && outcome === 'deviation')
}

/** `ids('MSG-GET', [1, 2])` gives `MSG-GET-1` and `MSG-GET-2`. */
export function ids(prefix: string, numbers: readonly number[]): string[] {
  return numbers.map((number) => `${prefix}-${number}`)
}

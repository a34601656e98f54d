import { AsyncLocalStorage } from 'node:async_hooks'
import { LeftOutError } from './deployment/account.ts'
import { settingsBehind } from './deployment/closed-settings.ts'
import type { Deployment } from './deployment/deployment.ts'
import type { Scenes } from './deployment/scene.ts'
import type { Check, CheckResult, Outcome } from './kernel/check.ts'
import { CheckContext } from './kernel/check-context.ts'
import { merged } from './kernel/finding.ts'
import type { ConformanceOptions } from './options.ts'
import type { Requirements } from './requirements/requirements.ts'
import { usualPatienceMs } from './wire/http.ts'
import { OperationFinder } from './wire/operation-finder.ts'

/** The check on whose behalf a request is sent. */
export const underWay = new AsyncLocalStorage<CheckContext>()

const usualRuns = 12
export const usualBudgetMs = 60_000

const interrupted = 'the run was interrupted'
const budgetSpent = 'the budget was spent'
const longerThanBudget = 'longer than the budget'

/** Whether a check was left out because of the budget. */
export function isOfBudget(reason: string): boolean {
  return reason === budgetSpent || reason.includes(longerThanBudget)
}

/** State that all checks of a run share. */
export interface Run {
  readonly deployment: Deployment
  readonly requirements: Requirements
  readonly options: ConformanceOptions
  readonly seed: number
  readonly deadline: number
}

interface Ended {
  readonly result: CheckResult
  /** Whether the check ran for generated values. */
  readonly usesValues: boolean
}

/** @param round how many times it ran before with other values */
export async function resultOf(check: Check, run: Run, scenes: Scenes, round: number): Promise<Ended> {
  const startedAt = performance.now()
  const { deployment, options } = run
  const random = {
    seed: seedOf(run.seed + round, check, options.path),
    path: options.path,
    numRuns: runsOf(options.budgetMs),
    shrinkMs: options.shrinkMs ?? options.patienceMs ?? usualPatienceMs,
  }
  const t = new CheckContext(check, deployment, run.requirements, random, scenes, options.onExpectation)
  const reasons = whyNot(check, run)
  let isBroken = false
  if (reasons.length === 0) {
    try {
      await underWay.run(t, () => check.run(t))
    } catch (err) {
      if (err instanceof LeftOutError) reasons.push(err.message)
      else if (options.signal?.aborted) reasons.push(interrupted)
      else {
        const fault = t.findings.length === 0 ? t.faultBehind(err) : undefined
        if (fault !== undefined) t.findings.push(fault)
        isBroken = t.findings.length === 0
        if (isBroken) reasons.push(err instanceof Error ? (err.stack ?? err.message) : String(err))
        scenes.current = undefined // its state must not affect the next check
      }
    }
  }
  const settings = t.findings.length > 0 ? settingsBehindFirst(t) : []
  if (settings.length > 0) {
    t.findings.length = 0
    reasons.push(`not as usual in this organization: ${settings.map((name) => `\`${name}\``).join(', ')}`)
  }
  // A server that no longer answers keeps no queues.
  await t.queues.end(deployment).catch(() => undefined)
  const outcome = isBroken ? 'broken' : outcomeOf(t, reasons)
  if (outcome !== 'failed' && reasons.length === 0) reasons.push(...unseenBy(t, check))
  reasons.push(...t.remarks)
  const result = {
    check,
    outcome,
    findings: merged(t.findings),
    deviations: merged(t.deviations),
    reasons,
    asserted: [...t.asserted],
    durationMs: Math.round(performance.now() - startedAt),
    isExpected: options.expectedFailures?.has(check.id) ?? false,
  }
  return { result, usesValues: t.usesValues }
}

/** The settings by which the organization refuses what the check needs: that is no fault of the server. */
function settingsBehindFirst({ blamed, deployment }: CheckContext): readonly string[] {
  const operation = blamed && OperationFinder.of(deployment.contract).of(blamed.request)
  return blamed && operation ? settingsBehind(blamed, operation, deployment.settings.before, deployment.contract) : []
}

/** Requirements of the check that no answer was checked against, with the reason. */
function unseenBy(t: CheckContext, { requirements }: Check): string[] {
  return requirements
    .filter((id) => !t.asserted.has(id))
    .map((id) => {
      if (t.notYet.has(id)) return `${id}: does not hold at level ${t.level}`
      return `${id}: ${t.notTheirs.has(id) ? 'is tested on Parley only' : 'found nothing to compare'}`
    })
}

function outcomeOf(t: CheckContext, reasons: readonly string[]): Outcome {
  if (t.findings.length > 0) return 'failed'
  if (reasons.length > 0) return 'left out'
  if (t.deviations.length > 0) return 'deviation'
  return t.asserted.size === 0 ? 'left out' : 'passed'
}

function whyNot({ waitsMs = 0 }: Check, { deadline, options: { budgetMs = Infinity, signal } }: Run): string[] {
  if (signal?.aborted) return [interrupted]
  if (waitsMs > budgetMs) return [`waits for up to ${waitsMs / 1000} s, ${longerThanBudget} of ${budgetMs / 1000} s`]
  return Date.now() >= deadline ? [budgetSpent] : []
}

/** A check generates the same values regardless of which other checks run. */
function seedOf(seed: number, { id }: Check, path: string | undefined): number {
  if (path !== undefined) return seed
  return [...id].reduce((hash, char) => (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0, seed)
}

/** A budget below the usual one gives fewer values; a larger one gives more of them later, when everything has run. */
function runsOf(budgetMs = usualBudgetMs): number {
  return Math.max(3, Math.min(usualRuns, Math.round((usualRuns * budgetMs) / usualBudgetMs)))
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { allChecks } from './checks/all.ts'
import { SetUpError } from './deployment/account.ts'
import { CannotRunError } from './deployment/credentials.ts'
import { Deployment, type Remains } from './deployment/deployment.ts'
import type { Scene } from './deployment/scene.ts'
import type { Check, CheckResult, Outcome, Profile } from './kernel/check.ts'
import { CheckContext, LeftOutError } from './kernel/check-context.ts'
import { type Finding, findingOf } from './kernel/finding.ts'
import { ownRules } from './kernel/own-rules.ts'
import { type RefusalCount, refusalCount } from './kernel/refusal-count.ts'
import { type Requirements, readRequirements } from './requirements/requirements.ts'
import { type Contract, readContract } from './wire/contract.ts'
import { ExchangeFeed } from './wire/exchange-feed.ts'
import { type Exchange, Http, type Login, UnreachableError, usualPatienceMs } from './wire/http.ts'
import { Pace } from './wire/pace.ts'
import { Refusals } from './wire/refusals.ts'

export interface Selection {
  /** Default: all. */
  readonly profile?: Profile | 'all'
  /** Checks to run: ids or their parts up to a slash, areas, requirement ids or operation ids; empty means all. */
  readonly only?: readonly string[]
  /** Checks to leave out, named in the same way. */
  readonly skip?: readonly string[]
}

export interface ConformanceOptions extends Selection {
  /** Address of the server, without `/api/v1`. */
  readonly url: string
  /** At least one; most checks need an administrator among them. */
  readonly logins: readonly Login[]
  /** Milliseconds after which no check begins any more; also scales how many values are generated. */
  readonly budgetMs?: number
  /** A whole number; the same one generates the same values. */
  readonly seed?: number
  /** Milliseconds that an event may take to come; default 20,000. */
  readonly patienceMs?: number
  /** Path to a counterexample of the only check. */
  readonly path?: string
  /** Counts deviations, and checks that pass although they are expected to fail, as failures. */
  readonly strict?: boolean
  /** Ids of checks that are known to fail. */
  readonly expectedFailures?: ReadonlySet<string>
  /** Called after each check, in the order in which they end. */
  readonly onResult?: (result: CheckResult, progress: { done: number; of: number }) => void
  /** Ends the run: no check begins any more, those under way are left out, and what was made is removed. */
  readonly signal?: AbortSignal
}

export interface ConformanceReport {
  readonly url: string
  readonly featureLevel: number
  readonly contractLevel: number
  readonly isParley: boolean
  readonly seed: number
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  /** In the order of the checks. */
  readonly results: readonly CheckResult[]
  /** Ids of checks that passed although they were expected to fail. */
  readonly unexpectedPasses: readonly string[]
  /** Whether answers showed limits on how many requests an account may send; a run then takes minutes. */
  readonly isLimited: boolean
  /** What was made and could not be removed. */
  readonly remains: Remains
  /** Why users could not be made; undefined when they could. */
  readonly noUsers: string | undefined
  readonly refusals: RefusalCount
  readonly isInterrupted: boolean
  /** Of an interrupted run never. */
  readonly passed: boolean
}

/** The check in whose name a request is sent. */
const underWay = new AsyncLocalStorage<CheckContext>()

/** How many checks are under way at the same time; each has people and channels of its own. */
const mostLanes = 4
const usualRuns = 12
const usualBudgetMs = 60_000
const mostRuns = 200

const interrupted = 'the run was interrupted'

/** @throws CannotRunError when the options select nothing, or the server or the credentials do not work */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const started = new Date()
  const contract = readContract()
  const requirements = readRequirements()
  const selected = selectedChecks(options, contract)
  mustFit(options, selected, contract)
  const refusals = new Refusals(contract)
  const feed = new ExchangeFeed(contract)
  const onExchange = (exchange: Exchange): void => {
    const refusal = refusals.note(exchange)
    if (refusal !== undefined) underWay.getStore()?.refused(refusal)
    feed.announce(exchange)
  }
  const http = new Http(options.url, new Pace(), { ...options, onExchange })
  const deployment = await opened(() => Deployment.open(http, contract, options.logins, refusals, feed))
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const run = { deployment, requirements, options, seed, deadline: started.getTime() + (options.budgetMs ?? Infinity) }
  const results = await allResults(selected, run)
  const unexpectedPasses = results
    .filter(({ outcome, isExpected }) => isExpected && outcome === 'passed')
    .map(({ check }) => check.id)
  const isInterrupted = options.signal?.aborted ?? false
  const fails = ({ outcome, isExpected }: CheckResult): boolean =>
    (outcome === 'failed' && !isExpected) || (options.strict === true && outcome === 'deviation')
  return {
    url: http.url,
    featureLevel: deployment.level,
    contractLevel: contract.level,
    isParley: deployment.isParley,
    seed,
    startedAt: started.toISOString(),
    results,
    unexpectedPasses,
    remains: await deployment.cleanUp(),
    noUsers: deployment.noUsers,
    isLimited: deployment.isLimited,
    refusals: refusalCount(selected, deployment),
    isInterrupted,
    passed: !isInterrupted && !results.some(fails) && !(options.strict === true && unexpectedPasses.length > 0),
    requests: deployment.requests,
    durationMs: Date.now() - started.getTime(),
  }
}

/** @throws CannotRunError when nothing is left, or a pattern fits no check */
export function selectedChecks({ profile = 'all', only = [], skip = [] }: Selection, contract: Contract): Check[] {
  const checks = allChecks(contract)
  for (const pattern of [...only, ...skip]) {
    if (!checks.some((check) => fits(check, pattern))) throw new CannotRunError(`no check fits '${pattern}'`)
  }
  const selected = checks
    .filter((check) => profile === 'all' || check.profile === profile)
    .filter((check) => only.length === 0 || only.some((pattern) => fits(check, pattern)))
    .filter((check) => !skip.some((pattern) => fits(check, pattern)))
  if (selected.length === 0) throw new CannotRunError('no check is selected')
  return selected
}

/** @throws CannotRunError when what is said about single checks does not fit them */
function mustFit({ path, expectedFailures }: ConformanceOptions, selected: readonly Check[], contract: Contract): void {
  if (path !== undefined && selected.length > 1)
    throw new CannotRunError('a path belongs to one check: name it with only')
  const ids = new Set(allChecks(contract).map(({ id }) => id))
  for (const id of expectedFailures ?? []) {
    if (!ids.has(id)) throw new CannotRunError(`expected failures: there is no check '${id}'`)
  }
}

function fits({ id, area, requirements, operations }: Check, pattern: string): boolean {
  return (
    id === pattern ||
    id.startsWith(`${pattern}/`) ||
    area === pattern ||
    requirements.includes(pattern) ||
    operations.includes(pattern)
  )
}

async function opened(open: () => Promise<Deployment>): Promise<Deployment> {
  try {
    return await open()
  } catch (err) {
    if (err instanceof UnreachableError) throw new CannotRunError(err.message)
    throw err
  }
}

interface Run {
  readonly deployment: Deployment
  readonly requirements: Requirements
  readonly options: ConformanceOptions
  readonly seed: number
  readonly deadline: number
}

async function allResults(checks: readonly Check[], run: Run): Promise<CheckResult[]> {
  const results = new Map<Check, CheckResult>()
  const lane = async (waiting: Iterable<Check>): Promise<void> => {
    const scenes = { current: undefined }
    for (const check of waiting) {
      const result = await resultOf(check, run, scenes)
      results.set(check, result)
      run.options.onResult?.(result, { done: results.size, of: checks.length })
    }
  }
  const witnesses = checks.filter(({ isWitness }) => isWitness)
  const [waiting, busy] = [true, false].map((waits) =>
    checks.filter(({ waitsMs, isWitness }) => !isWitness && (waitsMs !== undefined) === waits),
  )
  const queue = (busy ?? [])
    .toSorted((one, other) => Number(other.isFirst ?? false) - Number(one.isFirst ?? false))
    .values()
  // Given people cannot be in two checks at once, unless one of these does nothing but wait.
  const witnessed = witnesses.map((check) => lane([check]))
  const lanes = (await run.deployment.canMakeUsers()) ? mostLanes : 1
  await Promise.all([
    ...(waiting ?? []).map((check) => lane([check])),
    ...Array.from({ length: lanes }, () => lane(queue)),
  ])
  run.deployment.feed.end()
  await Promise.all(witnessed)
  return checks.flatMap((check) => results.get(check) ?? [])
}

async function resultOf(check: Check, run: Run, scenes: { current: Promise<Scene> | undefined }): Promise<CheckResult> {
  const startedAt = performance.now()
  const { deployment, options } = run
  const random = {
    seed: seedOf(run.seed, check, options.path),
    path: options.path,
    numRuns: runsOf(options.budgetMs, deployment),
    shrinkMs: options.patienceMs ?? usualPatienceMs,
  }
  const t = new CheckContext(check, deployment, run.requirements, random, scenes)
  const reasons = whyNot(check, run)
  if (reasons.length === 0) {
    try {
      await underWay.run(t, () => check.run(t))
    } catch (err) {
      if (err instanceof LeftOutError) reasons.push(err.message)
      else if (options.signal?.aborted) reasons.push(interrupted)
      else {
        if (t.findings.length === 0) t.findings.push(broken(err))
        scenes.current = undefined // whatever state it is in, the next check shall not suffer from it
      }
    }
  }
  const outcome = outcomeOf(t, reasons)
  if (outcome !== 'failed' && reasons.length === 0) {
    const unseen = check.requirements.filter((id) => !t.asserted.has(id))
    reasons.push(
      ...unseen.map(
        (id) => `${id}: ${t.notYet.has(id) ? `does not hold at level ${t.level}` : 'found nothing to look at'}`,
      ),
    )
  }
  reasons.push(...t.remarks)
  return {
    check,
    outcome,
    findings: t.findings,
    deviations: t.deviations,
    reasons,
    asserted: [...t.asserted],
    durationMs: Math.round(performance.now() - startedAt),
    isExpected: options.expectedFailures?.has(check.id) ?? false,
  }
}

function outcomeOf(t: CheckContext, reasons: readonly string[]): Outcome {
  if (t.findings.length > 0) return 'failed'
  if (reasons.length > 0) return 'left out'
  if (t.deviations.length > 0) return 'deviation'
  return t.asserted.size === 0 ? 'left out' : 'passed'
}

function whyNot(check: Check, { deployment, deadline, options: { budgetMs = Infinity, signal } }: Run): string[] {
  if (signal?.aborted) return [interrupted]
  const { waitsMs = 0 } = check
  if (waitsMs > budgetMs) return [`waits for up to ${waitsMs / 1000} s, longer than the budget of ${budgetMs / 1000} s`]
  if (Date.now() >= deadline) return ['the budget was spent']
  return check.operations.flatMap((id) => {
    const operation = deployment.contract.operations.get(id)
    const reason = operation === undefined ? 'is not in the contract' : deployment.notAsked(operation)
    return reason === undefined ? [] : [`${id} ${reason}`]
  })
}

/** What a check that could not go on says: the answer that it could not do without, or its own error. */
function broken(err: unknown): Finding {
  const says = ownRules.get('CONTRACT-SUCCESS') ?? ''
  if (err instanceof SetUpError) return findingOf('CONTRACT-SUCCESS', says, err.message, err.exchange)
  const message = err instanceof Error ? (err.stack ?? err.message) : String(err)
  return { requirement: 'CONTRACT-SUCCESS', says, expected: `The check could not go on: ${message}` }
}

/** A check generates the same values whatever else runs. */
function seedOf(seed: number, { id }: Check, path: string | undefined): number {
  if (path !== undefined) return seed
  return [...id].reduce((hash, char) => (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0, seed)
}

/** More time brings more values, but where requests are limited that time is spent on waiting. */
function runsOf(budgetMs = usualBudgetMs, { isLimited }: Deployment): number {
  const most = isLimited ? usualRuns : mostRuns
  return Math.max(3, Math.min(most, Math.round((usualRuns * budgetMs) / usualBudgetMs)))
}

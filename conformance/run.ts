import { AsyncLocalStorage } from 'node:async_hooks'
import { allChecks } from './checks/all.ts'
import { CannotRunError } from './deployment/credentials.ts'
import { Deployment, type RandomBytes, type Remains } from './deployment/deployment.ts'
import { settleOrganization } from './deployment/organization.ts'
import type { Scene } from './deployment/scene.ts'
import type { Check, CheckResult, Outcome, Profile } from './kernel/check.ts'
import { CheckContext, LeftOutError } from './kernel/check-context.ts'
import { merged } from './kernel/finding.ts'
import { type RefusalCount, refusalCount } from './kernel/refusal-count.ts'
import { type Requirements, readRequirements } from './requirements/requirements.ts'
import { type Contract, readContract } from './wire/contract.ts'
import { ExchangeFeed } from './wire/exchange-feed.ts'
import { type Exchange, Http, type Login, UnreachableError, usualPatienceMs } from './wire/http.ts'
import type { Send } from './wire/node-sender.ts'
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
  /** Ids of checks that did not begin because the budget was spent, or waits longer than it. */
  readonly notBegun: readonly string[]
  /** Ids of checks in which the suite itself made a mistake. */
  readonly broken: readonly string[]
  /** Whether deviations count as failures. */
  readonly isStrict: boolean
  /** Never of a run that was interrupted or is incomplete, nor where the suite made a mistake. */
  readonly passed: boolean
}

/** The check in whose name a request is sent. */
const underWay = new AsyncLocalStorage<CheckContext>()

/** How many checks are under way at the same time; each has people and channels of its own. */
const mostLanes = 4
const usualRuns = 12
const usualBudgetMs = 60_000
/** Of values; each has as many as a usual run. */
const mostRounds = 16

const interrupted = 'the run was interrupted'
const budgetSpent = 'the budget was spent'
const longerThanBudget = 'longer than the budget'

function isOfBudget(reason: string): boolean {
  return reason === budgetSpent || reason.includes(longerThanBudget)
}

/** @throws CannotRunError when the options select nothing, or the server or the credentials do not work */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const started = new Date()
  const contract = readContract()
  const requirements = readRequirements()
  const selected = options.checks ?? selectedChecks(options, contract)
  mustFit(options, selected, contract)
  const refusals = new Refusals(contract)
  const feed = new ExchangeFeed(contract)
  const onExchange = (exchange: Exchange): void => {
    const t = underWay.getStore()
    t?.heard(exchange)
    const refusal = refusals.note(exchange)
    if (refusal !== undefined) t?.refused(refusal)
    feed.announce(exchange)
  }
  const http = new Http(options.url, new Pace(), { ...options, onExchange })
  const deployment = await opened(() => Deployment.open(http, contract, options.logins, refusals, feed, options.random))
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const run = { deployment, requirements, options, seed, deadline: started.getTime() + (options.budgetMs ?? Infinity) }
  const results = await allResults(selected, run)
  const unexpectedPasses = results
    .filter(({ outcome, isExpected }) => isExpected && outcome === 'passed')
    .map(({ check }) => check.id)
  const isInterrupted = options.signal?.aborted ?? false
  const notBegun = results.filter(({ reasons }) => reasons.some(isOfBudget)).map(({ check }) => check.id)
  const broken = results.filter(({ outcome }) => outcome === 'broken').map(({ check }) => check.id)
  const fails = ({ outcome, isExpected }: CheckResult): boolean =>
    (outcome === 'failed' && !isExpected) || (options.strict === true && outcome === 'deviation')
  options.onKept?.([...options.logins, ...deployment.made])
  return {
    url: http.url,
    featureLevel: deployment.level,
    contractLevel: contract.level,
    isParley: deployment.isParley,
    seed,
    startedAt: started.toISOString(),
    results,
    unexpectedPasses,
    remains: options.onKept === undefined ? await deployment.cleanUp() : [],
    noUsers: deployment.noUsers,
    isLimited: deployment.isLimited,
    refusals: refusalCount(selected, deployment),
    isInterrupted,
    notBegun,
    broken,
    isStrict: options.strict ?? false,
    passed:
      !isInterrupted &&
      notBegun.length === 0 &&
      broken.length === 0 &&
      !results.some(fails) &&
      !(options.strict === true && unexpectedPasses.length > 0),
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
  await settleOrganization(run.deployment)
  const results = new Map<Check, CheckResult>()
  const hasValues = new Set<Check>()
  const inLane = async (waiting: Iterable<Check>, own: Scenes): Promise<void> => {
    for (const check of waiting) {
      const { result, usesValues } = await resultOf(check, run, own, 0)
      results.set(check, result)
      if (usesValues) hasValues.add(check)
      run.options.onResult?.(result, { done: results.size, of: checks.length })
    }
  }
  const alone = (check: Check): Promise<void> => inLane([check], { current: undefined })
  const witnessed = checks.filter(({ isWitness }) => isWitness).map(alone)
  // Given people cannot be in two checks at once, unless one of the two does nothing but wait.
  const lanes = (await run.deployment.canMakeUsers()) ? mostLanes : 1
  const scenes = Array.from({ length: lanes }, (): Scenes => ({ current: undefined }))
  const queue = inOrder(checks, run, lanes).values()
  const waiting = checks.filter(({ waitsMs, isWitness }) => waitsMs !== undefined && !isWitness)
  await Promise.all([...waiting.map(alone), ...scenes.map((own) => inLane(queue, own))])
  await moreValues(results, hasValues, run, scenes)
  await inLane(
    checks.filter(({ isForAll }) => isForAll),
    { current: undefined },
  )
  run.deployment.feed.end()
  await Promise.all(witnessed)
  return checks.flatMap((check) => results.get(check) ?? [])
}

/**
 * Checks that wait for nothing, in the order in which they begin. Under a budget what takes little goes before what
 * takes long, area by area in turns, so that a budget that is too small leaves out the least.
 */
function inOrder(checks: readonly Check[], { options }: Run, lanes: number): Check[] {
  const busy = checks.filter(({ waitsMs, isWitness, isForAll }) => waitsMs === undefined && !isWitness && !isForAll)
  const isFirst = (check: Check): number => Number(check.isFirst ?? false)
  if (options.budgetMs === undefined) return busy.toSorted((one, other) => isFirst(other) - isFirst(one))
  const places = new Map<string, number>()
  const turns = busy.map((check) => {
    const kind = `${check.area} ${check.isCostly ?? false}`
    const place = places.get(kind) ?? 0
    places.set(kind, place + 1)
    // What has to be first keeps one of several lanes busy, and no other check from beginning.
    return { check, keys: [lanes > 1 ? -isFirst(check) : 0, Number(check.isCostly ?? false), place] as const }
  })
  return turns
    .toSorted((one, other) => one.keys.map((key, index) => key - (other.keys[index] ?? 0)).find((by) => by !== 0) ?? 0)
    .map(({ check }) => check)
}

/** Rounds of further values, as far as the budget reaches; where requests are limited that time is spent on waiting. */
async function moreValues(
  results: Map<Check, CheckResult>,
  hasValues: ReadonlySet<Check>,
  run: Run,
  scenes: readonly Scenes[],
): Promise<void> {
  const { deployment, options, deadline } = run
  const rounds = deployment.isLimited || options.path !== undefined ? 1 : roundsIn(options.budgetMs)
  for (let round = 1; round < rounds; round += 1) {
    const isSound = (check: Check): boolean => ['passed', 'deviation'].includes(results.get(check)?.outcome ?? '')
    const sound = [...hasValues].filter(isSound).values()
    const lane = async (own: Scenes): Promise<void> => {
      for (const check of sound) {
        if (Date.now() >= deadline || options.signal?.aborted) return
        const first = results.get(check)
        const { result } = await resultOf(check, run, own, round)
        const durationMs = (first?.durationMs ?? 0) + result.durationMs
        const isNews = result.outcome === 'failed' || result.outcome === 'broken'
        results.set(check, { ...(isNews || first === undefined ? result : first), durationMs })
      }
    }
    await Promise.all(scenes.map(lane))
  }
}

/** Rounds of values of which the first belongs to any run. */
function roundsIn(budgetMs = usualBudgetMs): number {
  return Math.min(mostRounds, Math.floor(budgetMs / usualBudgetMs))
}

interface Scenes {
  current: Promise<Scene> | undefined
}

interface Ended {
  readonly result: CheckResult
  /** Whether the check ran for generated values. */
  readonly usesValues: boolean
}

/** @param round how many times it ran before with other values */
async function resultOf(check: Check, run: Run, scenes: Scenes, round: number): Promise<Ended> {
  const startedAt = performance.now()
  const { deployment, options } = run
  const random = {
    seed: seedOf(run.seed + round, check, options.path),
    path: options.path,
    numRuns: runsOf(options.budgetMs),
    shrinkMs: options.shrinkMs ?? options.patienceMs ?? usualPatienceMs,
  }
  const t = new CheckContext(check, deployment, run.requirements, random, scenes)
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
        scenes.current = undefined // whatever state it is in, the next check must not suffer from it
      }
    }
  }
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

/** Requirements of the check against which nothing was held, with the reason. */
function unseenBy(t: CheckContext, { requirements }: Check): string[] {
  return requirements
    .filter((id) => !t.asserted.has(id))
    .map((id) => {
      if (t.notYet.has(id)) return `${id}: does not hold at level ${t.level}`
      return `${id}: ${t.notTheirs.has(id) ? 'is asked of Parley alone' : 'found nothing to look at'}`
    })
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
  if (waitsMs > budgetMs) return [`waits for up to ${waitsMs / 1000} s, ${longerThanBudget} of ${budgetMs / 1000} s`]
  if (Date.now() >= deadline) return [budgetSpent]
  return check.operations.flatMap((id) => {
    const operation = deployment.contract.operations.get(id)
    const reason = operation === undefined ? 'is not in the contract' : deployment.notAsked(operation)
    return reason === undefined ? [] : [`${id} ${reason}`]
  })
}

/** A check generates the same values whatever else runs. */
function seedOf(seed: number, { id }: Check, path: string | undefined): number {
  if (path !== undefined) return seed
  return [...id].reduce((hash, char) => (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0, seed)
}

/**
 * A budget below the usual one brings fewer values; a larger one brings more of them later, when everything has run.
 */
function runsOf(budgetMs = usualBudgetMs): number {
  return Math.max(3, Math.min(usualRuns, Math.round((usualRuns * budgetMs) / usualBudgetMs)))
}

import { allChecks } from './checks/all.ts'
import { CannotRunError } from './deployment/credentials.ts'
import { Deployment, type Remains } from './deployment/deployment.ts'
import { type Check, type CheckResult, fails } from './kernel/check.ts'
import { type RefusalCount, refusalCount } from './kernel/refusal-count.ts'
import { isOfBudget, underWay } from './one-result.ts'
import { type ConformanceOptions, MAX_MINUTES, minutesFor, type RunProfile, type Selection } from './options.ts'
import { isAbout } from './requirements/about.ts'
import { readRequirements } from './requirements/requirements.ts'
import { allResults } from './results.ts'
import { type Contract, readContract } from './wire/contract.ts'
import { ExchangeFeed } from './wire/exchange-feed.ts'
import { Http, UnreachableError } from './wire/http.ts'
import { Pace } from './wire/pace.ts'
import { Refusals } from './wire/refusals.ts'

export type { ConformanceOptions, Selection } from './options.ts'

export interface ConformanceReport {
  readonly url: string
  readonly featureLevel: number
  readonly contractLevel: number
  readonly isParley: boolean
  readonly seed: number
  readonly profile: RunProfile
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  /** In the order of the checks. */
  readonly results: readonly CheckResult[]
  /** Ids of checks that passed although they were expected to fail. */
  readonly unexpectedPasses: readonly string[]
  /** Whether answers showed a rate limit for accounts; a run then takes minutes. */
  readonly isLimited: boolean
  /** Things that were created and could not be removed. */
  readonly remains: Remains
  /** Why users could not be created; undefined if they could. */
  readonly noUsers: string | undefined
  readonly refusals: RefusalCount
  readonly isInterrupted: boolean
  /** Ids of checks that did not start because the budget was used up, or their waiting time exceeds it. */
  readonly notBegun: readonly string[]
  /** Ids of checks in which the suite itself made a mistake. */
  readonly broken: readonly string[]
  /** Whether deviations count as failures. */
  readonly isStrict: boolean
  /** False if the run was interrupted or incomplete, no check could run, or the suite made a mistake. */
  readonly passed: boolean
}

/** @throws {CannotRunError} if the options select nothing, or the server or the credentials do not work */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const started = new Date()
  const contract = readContract()
  const requirements = readRequirements()
  mustFit(options, options.checks ?? selectedChecks(options, contract), contract)
  const refusals = new Refusals()
  const feed = new ExchangeFeed(contract)
  feed.listen((exchange, operation) => {
    const t = underWay.getStore()
    t?.heard(exchange)
    const refusal = refusals.note(exchange, operation)
    if (refusal !== undefined) t?.refused(refusal)
  })
  const http = new Http(options.url, new Pace(), { ...options, onExchange: (exchange) => feed.announce(exchange) })
  const opening = Deployment.open(http, contract, options.logins, refusals, feed, options.random)
  const deployment = await opening.catch((err) => {
    throw err instanceof UnreachableError ? new CannotRunError(err.message) : err
  })
  deployment.pushRelay = options.pushRelay
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const profile = profileOf(options, deployment.isLimited || minutesFor('all', http.fastestMs) > MAX_MINUTES)
  const selected = options.checks ?? selectedChecks({ ...options, profile }, contract)
  options.onStart?.({
    url: http.url,
    featureLevel: deployment.level,
    seed,
    profile,
    isLimited: deployment.isLimited,
    answerMs: http.fastestMs,
    checks: selected.length,
    of: allChecks(contract).length,
  })
  const run = { deployment, requirements, options, seed, deadline: started.getTime() + (options.budgetMs ?? Infinity) }
  const results = await allResults(selected, run)
  const unexpectedPasses = results
    .filter(({ outcome, isExpected }) => isExpected && outcome === 'passed')
    .map(({ check }) => check.id)
  const isInterrupted = options.signal?.aborted ?? false
  const notBegun = results.filter(({ reasons }) => reasons.some(isOfBudget)).map(({ check }) => check.id)
  const broken = results.filter(({ outcome }) => outcome === 'broken').map(({ check }) => check.id)
  options.onKept?.([...options.logins, ...deployment.made])
  return {
    url: http.url,
    featureLevel: deployment.level,
    contractLevel: contract.level,
    isParley: deployment.isParley,
    seed,
    profile,
    startedAt: started.toISOString(),
    results,
    unexpectedPasses,
    remains: options.onKept === undefined ? await deployment.cleanUp().catch(perhapsAll) : [],
    noUsers: deployment.noUsers,
    isLimited: deployment.isLimited,
    refusals: refusalCount(selected, deployment),
    isInterrupted,
    notBegun,
    broken,
    isStrict: options.strict ?? false,
    passed:
      !isInterrupted &&
      results.some(({ outcome }) => outcome !== 'left out') &&
      notBegun.length === 0 &&
      broken.length === 0 &&
      !results.some((result) => fails(result, options.strict === true)) &&
      !(options.strict === true && unexpectedPasses.length > 0),
    requests: deployment.requests,
    durationMs: Date.now() - started.getTime(),
  }
}

/** What remains if the server has gone away, or fails: the report comes all the same. */
function perhapsAll(err: unknown): Remains {
  return [`perhaps everything: ${err instanceof Error ? err.message : err}`]
}

/** @throws {CannotRunError} if nothing is left, or a pattern matches no check */
export function selectedChecks({ profile = 'all', only = [], skip = [] }: Selection, contract: Contract): Check[] {
  const checks = allChecks(contract)
  const requirements = readRequirements()
  const fits = (check: Check, pattern: string): boolean => {
    const operation = contract.operations.get(pattern)
    return isNamed(check, pattern) || (operation !== undefined && isAbout(check, operation, requirements))
  }
  for (const pattern of [...only, ...skip]) {
    if (!checks.some((check) => fits(check, pattern))) throw new CannotRunError(noneFits(pattern, checks))
  }
  const selected = checks
    .filter((check) => profile === 'all' || isQuick(check))
    .filter((check) => only.length === 0 || only.some((pattern) => fits(check, pattern)))
    .filter((check) => !skip.some((pattern) => fits(check, pattern)))
  if (selected.length === 0) throw new CannotRunError('no check is selected')
  return selected
}

function noneFits(pattern: string, checks: readonly Check[]): string {
  const near = checks.filter(({ id }) => id.includes(pattern)).map(({ id }) => id)
  const hint = near.length > 0 ? `: ids begin as in ${near.slice(0, 3).join(', ')}` : ''
  return `no check fits '${pattern}'${hint}`
}

/** Stands for all operations in a quick run: it has parameters of every kind. */
const representative = 'send-message'

function isQuick({ asksEach = representative, isCostly }: Check): boolean {
  return isCostly !== true && asksEach === representative
}

/** Users who want to wait for all checks name them, or give a budget. */
function profileOf({ profile, only = [], budgetMs }: ConformanceOptions, takesLong: boolean): RunProfile {
  return profile ?? (takesLong && only.length === 0 && budgetMs === undefined ? 'quick' : 'all')
}

/** @throws {CannotRunError} if options about single checks do not match the selected checks */
function mustFit(options: ConformanceOptions, selected: readonly Check[], contract: Contract): void {
  const { path, seed, expectedFailures } = options
  if (path !== undefined && selected.length > 1)
    throw new CannotRunError('a path belongs to one check: name it with only')
  if (path !== undefined && (seed === undefined || !/^\d+(:\d+)*$/.test(path)))
    throw new CannotRunError(`a path is one such as 3:0:1, with the seed of its run; not '${path}'`)
  const ids = new Set(allChecks(contract).map(({ id }) => id))
  for (const id of expectedFailures ?? []) {
    if (!ids.has(id)) throw new CannotRunError(`expected failures: there is no check '${id}'`)
  }
}

function isNamed({ id, area, requirements, conditional = [] }: Check, pattern: string): boolean {
  return [id, area, ...requirements, ...conditional].includes(pattern) || id.startsWith(`${pattern}/`)
}

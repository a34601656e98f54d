import { settleOrganization } from './deployment/organization.ts'
import type { Scenes } from './deployment/scene.ts'
import type { Check, CheckResult } from './kernel/check.ts'
import { type Run, resultOf, usualBudgetMs } from './one-result.ts'

/** Number of checks that run at the same time; each has its own people and channels. */
const mostLanes = 4
/** Maximum number of rounds of values; each has as many as a usual run. */
const mostRounds = 16

/** Runs the checks. Their possible effects on each other decide which run at the same time. */
export async function allResults(all: readonly Check[], run: Run): Promise<CheckResult[]> {
  const isLast = ({ movesClock }: Check): boolean => movesClock === true && run.deployment.standIn !== undefined
  const checks = all.filter((check) => !isLast(check))
  const lanes = await lanesOf(run)
  const results = new Map<Check, CheckResult>()
  const hasValues = new Set<Check>()
  const inLane = async (waiting: Iterable<Check>, own: Scenes): Promise<void> => {
    for (const check of waiting) {
      const { result, usesValues } = await resultOf(check, run, own, 0)
      results.set(check, result)
      if (usesValues) hasValues.add(check)
      run.options.onResult?.(result, { done: results.size, of: all.length })
    }
  }
  const alone = (check: Check): Promise<void> => inLane([check], { current: undefined })
  const witnessed = checks.filter(({ isWitness }) => isWitness).map(alone)
  const scenes = Array.from({ length: lanes }, (): Scenes => ({ current: undefined }))
  const queue = inOrder(checks, run, lanes).values()
  const waiting = checks.filter(({ waitsMs, isWitness }) => waitsMs !== undefined && !isWitness)
  await Promise.all([...waiting.map(alone), ...scenes.map((own) => inLane(queue, own))])
  await moreValues(results, hasValues, run, scenes)
  // One lane's scene, because some checks need a message that is some time old.
  const [former = { current: undefined }] = scenes
  await inLane(
    checks.filter(({ isForAll }) => isForAll),
    former,
  )
  run.deployment.feed.end()
  await Promise.all(witnessed)
  await inLane(all.filter(isLast), { current: undefined })
  return all.flatMap((check) => results.get(check) ?? [])
}

/** How many checks may run at once, once the organization is in the expected state. */
async function lanesOf({ deployment }: Run): Promise<number> {
  await settleOrganization(deployment)
  // A given account cannot be in two checks at once, unless one of them only waits. Each check reports an error again.
  return (await deployment.canMakeUsers().catch(() => false)) ? mostLanes : 1
}

/**
 * Checks without waiting, in the order in which they start. Under a budget the cheap ones come first, from each area in
 * turn, so that a budget that is too small leaves out the least.
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
    // Checks that must be first keep one of several lanes busy, without delaying the others.
    return { check, keys: [lanes > 1 ? -isFirst(check) : 0, Number(check.isCostly ?? false), place] as const }
  })
  return turns
    .toSorted((one, other) => one.keys.map((key, index) => key - (other.keys[index] ?? 0)).find((by) => by !== 0) ?? 0)
    .map(({ check }) => check)
}

/** Rounds of more values, as far as the budget reaches; with rate limits that time goes to waiting. */
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

/** Number of rounds of values; every run has the first one. */
function roundsIn(budgetMs = usualBudgetMs): number {
  return Math.min(mostRounds, Math.floor(budgetMs / usualBudgetMs))
}

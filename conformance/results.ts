import { settleOrganization } from './deployment/organization.ts'
import type { Check, CheckResult } from './kernel/check.ts'
import { type Run, resultOf, type Scenes, usualBudgetMs } from './one-result.ts'

/** How many checks are under way at the same time; each has people and channels of its own. */
const mostLanes = 4
/** Of values; each has as many as a usual run. */
const mostRounds = 16

/** Runs the checks, each in its time: what they may do to one another decides what runs beside what. */
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
  // Of a lane, because some of them want a message that is some time old.
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

/** How many checks may be under way at once, when the organization is as checks expect it. */
async function lanesOf({ deployment, options: { signal } }: Run): Promise<number> {
  try {
    await settleOrganization(deployment)
    // Given people cannot be in two checks at once, unless one of the two does nothing but wait.
    return (await deployment.canMakeUsers()) ? mostLanes : 1
  } catch (err) {
    if (signal?.aborted) return 1 // each check says that it was interrupted
    throw err
  }
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

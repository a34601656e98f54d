/** Runs of the suite that are recorded once, and repeated without the server but with wrong answers. */
import { createHash } from 'node:crypto'
import { CannotRunError } from '../deployment/credentials.ts'
import type { Check } from '../kernel/check.ts'
import type { Expectation } from '../kernel/check-context.ts'
import { type ConformanceOptions, type ConformanceReport, runConformance } from '../run.ts'
import { readContract } from '../wire/contract.ts'
import { UnreachableError, usualPatienceMs } from '../wire/http.ts'
import { type Mutate, type Player, Trace } from './trace-testing.ts'

/** A run with its answers. */
export interface RecordedRun {
  /** Determines the names that the run creates. */
  readonly name: string
  readonly options: ConformanceOptions
  readonly trace: Trace
}

/** Ids of checks that look at everything in few places, and take seconds each time. */
export const LONG = /^(laws|frame|modelled|tour)\//

/** Settings of the server that a check needs. */
export function settingsFor({ movesClock }: Check): Readonly<Record<string, string>> {
  return movesClock ? { PARLEY_TESTING: 'on' } : {}
}

export async function recordedRun(name: string, options: ConformanceOptions) {
  const trace = new Trace(readContract())
  const { results } = await runConformance({ ...options, random: randomOf(name), sender: trace.record })
  await trace.end()
  return { name, options, trace, results }
}

/** @returns `report`: undefined if a mutated answer ended the run before its checks */
export async function replayed(
  { name, options, trace }: RecordedRun,
  mutate: Mutate,
  onExpectation?: (expectation: Expectation) => void,
): Promise<{ readonly report: ConformanceReport | undefined; readonly player: Player }> {
  const player = trace.player(mutate)
  const hears = onExpectation && { onExpectation }
  try {
    const own = { random: randomOf(name), sender: player.send, patienceMs: usualPatienceMs }
    return { report: await runConformance({ ...options, ...own, ...hears }), player }
  } catch (err) {
    if (err instanceof CannotRunError || err instanceof UnreachableError) return { report: undefined, player }
    throw err
  }
}

/** Generates the same bytes for every run of this name, and different ones for other runs. */
function randomOf(name: string): NonNullable<ConformanceOptions['random']> {
  let count = 0
  return (bytes) => {
    count += 1
    return createHash('sha256').update(`${name} ${count}`).digest().subarray(0, bytes)
  }
}

import type { OperationId } from '../../../generated/operations.ts'
import { table } from '../report.ts'
import { spread } from '../results.ts'
import { makeLargeOrganization } from './large-organization.ts'
import { Scene, type WorstCall } from './scene.ts'
import { startWatchedServer, type WatchedServer } from './watched-server.ts'
import { WORST_CALLS } from './worst-calls.ts'

/** The effect of one call on everybody else. */
interface LoopFigure {
  readonly operation: OperationId
  readonly what: string
  /** The longest block of the event loop, from any cause. */
  readonly longestMs: number
  /** From the request to the last byte. */
  readonly totalMs: number
}

/** Number of calls reported. */
const WORST = 5

/** After one warm-up call: enough for a meaningful median. */
const TIMES = 3

/**
 * Calls operations with their worst arguments, and reports which blocked the event loop longest.
 *
 * @param only part of the names of the operations to call
 */
export async function measureLoop(folder: string, only: string, say: (what: string) => void): Promise<string> {
  say('250,000 messages, 10,000 channels, 10,000 users')
  const organization = await makeLargeOrganization(folder)
  const server = await startWatchedServer(folder)
  const scene = new Scene(organization, server.url)
  const figures: LoopFigure[] = []
  for (const call of WORST_CALLS.filter(({ operation }) => operation.includes(only))) {
    const { operation, what } = call
    say(`${operation}: ${what}`)
    figures.push({ operation, what, ...(await measured(server, scene, call)) })
  }
  return reportOf(figures)
}

async function measured(
  server: WatchedServer,
  scene: Scene,
  { prepare, call }: WorstCall,
): Promise<Pick<LoopFigure, 'longestMs' | 'totalMs'>> {
  const holds: number[] = []
  const totals: number[] = []
  for (let turn = 0; turn <= TIMES; turn += 1) {
    const prepared = await prepare?.(scene)
    await server.longestHold()
    const start = performance.now()
    const answer = await call(scene, prepared)
    if (answer instanceof Response) await answer.arrayBuffer()
    const totalMs = performance.now() - start
    if (answer.status !== 200) {
      throw new Error(`answered ${answer.status} ${'body' in answer ? JSON.stringify(answer.body).slice(0, 500) : ''}`)
    }
    const hold = await server.longestHold()
    if (turn === 0) continue
    totals.push(totalMs)
    holds.push(hold)
  }
  return { longestMs: spread(holds).median, totalMs: spread(totals).median }
}

/** A table of the calls that blocked the event loop longest. */
function reportOf(figures: readonly LoopFigure[]): string {
  const worst = figures.toSorted((a, b) => b.longestMs - a.longestMs).slice(0, WORST)
  const ms = (value: number): string => `${value.toFixed(0)} ms`
  const rows = worst.map(({ operation, what, longestMs, totalMs }) => [operation, what, ms(longestMs), ms(totalMs)])
  const operations = new Set(figures.map(({ operation }) => operation)).size
  return `; ${operations} operations, ${figures.length} calls.

${table(['operation', 'called with', 'longest hold', 'whole call'], rows)}`
}

import { table } from './report.ts'
import type { Scenario } from './results.ts'

/**
 * Minimum share of bare Koa's rate with the same body, in the same run: half of what docs/performance.md shows, which
 * noise of the machine does not reach.
 */
const LEAST: Readonly<Record<string, number>> = {
  'GET /messages/{id}': 0.08,
  'GET /messages, newest 100': 0.045,
  'GET /users/me/subscriptions': 0.12,
  'GET /users/me/{stream_id}/topics': 0.07,
  'POST /messages': 0.05,
}

/** The requests that are much slower than documented, each as a row of the report. */
export function tooSlow(scenarios: readonly Scenario[]): string[][] {
  return rows(scenarios).filter(([, found, least]) => Number(found) < Number(least))
}

export function ratioReportOf(scenarios: readonly Scenario[]): string {
  return `${table(['requests', 'of bare Koa', 'least'], rows(scenarios))}\n`
}

function rows(scenarios: readonly Scenario[]): string[][] {
  return scenarios.map(({ name, floors }) => {
    const [, least] = Object.entries(LEAST).find(([prefix]) => name.startsWith(prefix)) ?? []
    const found = floors.find((floor) => floor.name === 'bare Koa')?.ratio
    if (least === undefined || found === undefined) throw new Error(`no least ratio for ${name}`)
    return [name, found.toFixed(3), least.toFixed(3)]
  })
}

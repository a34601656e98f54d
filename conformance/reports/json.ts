import type { ConformanceReport } from '../run.ts'

/** The whole report, for programs; one object for each check. */
export function jsonReport(report: ConformanceReport): string {
  const results = report.results.map(({ check, ...result }) => {
    const { run: _, ...described } = check
    return { ...described, ...result }
  })
  return `${JSON.stringify({ ...report, results }, null, 2)}\n`
}

import type { CheckResult, Outcome } from '../kernel/check.ts'
import type { Finding } from '../kernel/finding.ts'
import type { ConformanceReport } from '../run.ts'

const marks: Readonly<Record<Outcome, string>> = { passed: '✓', failed: '✗', deviation: '~', 'left out': '-' }
const colours: Readonly<Record<Outcome, number>> = { passed: 32, failed: 31, deviation: 33, 'left out': 90 }

/** Of a list that may be long; the other reports have all of it. */
const mostNamed = 3

/** One line for a check that has ended, with its findings where it failed. */
export function resultLines(
  result: CheckResult,
  { done, of }: { done: number; of: number },
  inColour: boolean,
): string {
  const { check, outcome, findings, deviations, reasons, isExpected } = result
  const count = `${done}/${of}`.padStart(`${of}/${of}`.length)
  const name = inColour
    ? `\x1b[${colours[outcome]}m${marks[outcome]} ${check.id}\x1b[0m`
    : `${marks[outcome]} ${check.id}`
  const expected = isExpected ? ' (expected to fail)' : ''
  const why = outcome === 'left out' ? `: ${reasons.join('; ')}` : ''
  const details = [...findings, ...(outcome === 'deviation' ? deviations : [])].map(findingText)
  return [`${count} ${name}${expected}${why}`, ...details].join('\n')
}

export function findingText({ requirement, says, expected, request, answer, curl, replay }: Finding): string {
  const lines = [
    `${requirement}: ${says}`,
    `expected: ${expected}`,
    ...(request === undefined ? [] : [`request:  ${request}`]),
    ...(answer === undefined ? [] : [`answer:   ${answer.slice(0, 600)}`]),
    ...(curl === undefined ? [] : ['try it:', curl.trimEnd()]),
    ...(replay === undefined ? [] : [`replay:   ${replay}`]),
  ]
  return lines.map((line) => line.replaceAll(/^/gm, '      ')).join('\n')
}

export function countsOf(results: readonly CheckResult[]): Record<Outcome, number> {
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, deviation: 0, 'left out': 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}

export function verdictOf({ passed, isInterrupted }: ConformanceReport): 'Passed' | 'Failed' | 'Interrupted' {
  if (isInterrupted) return 'Interrupted'
  return passed ? 'Passed' : 'Failed'
}

/** The last lines of a run. */
export function summaryText(report: ConformanceReport): string {
  const { results, unexpectedPasses, remains, noUsers } = report
  const counts = countsOf(results)
  const areas = Map.groupBy(results, ({ check }) => check.area)
  const width = Math.max(...[...areas.keys()].map((area) => area.length))
  const rows = [...areas].map(([area, ofArea]) => {
    const { passed, failed, deviation, 'left out': leftOut } = countsOf(ofArea)
    return `  ${area.padEnd(width)}  ${passed} passed, ${failed} failed, ${deviation} deviating, ${leftOut} left out`
  })
  return [
    '',
    ...rows,
    ...(unexpectedPasses.length === 0 ? [] : [`expected to fail, and passed: ${unexpectedPasses.join(', ')}`]),
    ...refusalLines(report.refusals),
    ...(noUsers === undefined ? [] : [`no users were made: ${noUsers}`]),
    ...(remains.length === 0
      ? []
      : [
          `left behind: ${remains.length} (${remains.slice(0, mostNamed).join(', ')}${remains.length > mostNamed ? ' …' : ''})`,
        ]),
    `${report.url} at feature level ${report.featureLevel}: ${report.requests} requests in ${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed}`,
    `${verdictOf(report).toUpperCase()}: ${counts.passed} passed, ${counts.failed} failed, ${counts.deviation} deviating, ${counts['left out']} left out`,
  ].join('\n')
}

/** How much of what the contract lists as refusals has come; empty when none were to be provoked. */
function refusalLines({ listed, seen, unseen, unprovoked }: ConformanceReport['refusals']): string[] {
  if (listed === 0) return []
  const more = unseen.length > mostNamed ? ' …' : ''
  const missing = unseen.length === 0 ? '' : `; never: ${unseen.slice(0, mostNamed).join(', ')}${more}`
  const count = `refusals: ${seen} of the ${listed} that the contract lists came over the wire`
  return [`${count}, ${unprovoked.length} are not for a client to provoke${missing}`]
}

import type { CheckResult } from '../kernel/check.ts'
import type { ConformanceReport } from '../run.ts'
import { byArea, countsOf, findingText } from './terminal.ts'

/**
 * JUnit XML: an area is a suite, a check is a case. A deviation is a success with a note; what is left out is skipped.
 */
export function junitReport({ results, startedAt, durationMs, isStrict }: ConformanceReport): string {
  const suites = byArea(results).map(([area, ofArea]) => {
    const attributes = `name=${quoted(area)} ${counts(ofArea, isStrict)} timestamp=${quoted(startedAt)}`
    return `  <testsuite ${attributes}>\n${ofArea.map((result) => caseOf(result, isStrict)).join('\n')}\n  </testsuite>`
  })
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance" ${counts(results, isStrict)} time="${seconds(durationMs)}">`
  return `${head}\n${suites.join('\n')}\n</testsuites>\n`
}

function counts(results: readonly CheckResult[], isStrict: boolean): string {
  const { failed, 'left out': leftOut, broken } = countsOf(results, isStrict)
  const errors = broken === 0 ? '' : ` errors="${broken}"`
  return `tests="${results.length}" failures="${failed}"${errors} skipped="${leftOut}"`
}

function caseOf({ check, outcome, findings, deviations, reasons, durationMs }: CheckResult, isStrict: boolean): string {
  const failures = [...findings, ...(isStrict ? deviations : [])].map(
    (finding) =>
      `<failure message=${quoted(`${finding.requirement}: ${finding.expected}`)}>${escaped(findingText(finding))}</failure>`,
  )
  const skipped = outcome === 'left out' ? [`<skipped message=${quoted(reasons.join('; '))}/>`] : []
  const error = outcome === 'broken' ? [`<error message=${quoted(reasons.join('; '))}/>`] : []
  const out =
    deviations.length === 0 || isStrict
      ? []
      : [`<system-out>${escaped(deviations.map(findingText).join('\n\n'))}</system-out>`]
  const inner = [...skipped, ...error, ...failures, ...out].map((line) => `      ${line}\n`).join('')
  return `    <testcase classname=${quoted(check.area)} name=${quoted(`${check.id}: ${check.title}`)} time="${seconds(durationMs)}">\n${inner}    </testcase>`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('\n', '&#10;')}"`
}

/** XML 1.0 allows no other control characters, not even escaped, and no half of a surrogate pair. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

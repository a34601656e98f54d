import { type CheckResult, fails, type Outcome } from '../kernel/check.ts'
import { type Finding, requestLine, sameness } from '../kernel/finding.ts'
import { minutesFor, type RunProfile, type Start } from '../options.ts'
import type { ConformanceReport } from '../run.ts'

const marks: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  deviation: '~',
  'left out': '-',
  broken: '!',
}
const colours: Readonly<Record<Outcome, number>> = { passed: 32, failed: 31, deviation: 33, 'left out': 90, broken: 35 }

/** Maximum number of list entries shown; the other reports have all of them. */
const mostNamed = 3
const mostCauses = 12

/** The first lines of a run. */
export function startText({ url, featureLevel, seed, profile, isLimited, answerMs, checks, of }: Start): string {
  const first = `${url} at feature level ${featureLevel}: ${checks} of ${of} checks${profileText({ profile })}, seed ${seed}`
  if (!isLimited) return `${first}${slownessText(profile, answerMs)}`
  const here = profile === 'quick' ? 'this takes three minutes, all checks twenty' : 'all checks take twenty minutes'
  const more = profile === 'quick' ? ' (--profile all)' : ''
  return `${first}\nThe server limits requests: ${here}${more}. Without limits all take a minute or two (Parley: npm start -- --rate-limits off).`
}

/** Empty if it takes little time. */
function slownessText(profile: RunProfile, answerMs: number): string {
  const here = Math.round(minutesFor(profile, answerMs))
  if (here < 3) return ''
  const more = profile === 'quick' ? `, all checks ${Math.round(minutesFor('all', answerMs))} (--profile all)` : ''
  return `\nAn answer takes ${Math.round(answerMs)} ms: this takes some ${here} minutes${more}.`
}

/** Empty if any check may run. */
export function profileText({ profile }: Pick<ConformanceReport, 'profile'>): string {
  return profile === 'all' ? '' : `, profile ${profile}`
}

/**
 * Writes a line for each check that has ended, and its findings; a finding that another check already had takes one
 * line.
 */
export class ResultLines {
  readonly #inColour: boolean
  /** The first check of each cause. */
  readonly #first = new Map<string, string>()

  constructor(inColour: boolean) {
    this.#inColour = inColour
  }

  of(result: CheckResult, { done, of }: { done: number; of: number }): string {
    const { check, outcome, findings, deviations, reasons, isExpected } = result
    const count = `${done}/${of}`.padStart(`${of}/${of}`.length)
    const name = `${marks[outcome]} ${check.id}`
    const shown = this.#inColour ? `\x1b[${colours[outcome]}m${name}\x1b[0m` : name
    const expected = isExpected ? ' (expected to fail)' : ''
    const why = outcome === 'left out' || outcome === 'broken' ? `: ${reasons.join('; ')}` : ''
    const details = [...findings, ...(outcome === 'deviation' ? deviations : [])].map((one) =>
      this.#text(one, check.id),
    )
    return [`${count} ${shown}${expected}${why}`, ...details].join('\n')
  }

  #text(finding: Finding, id: string): string {
    const cause = sameness(finding)
    const first = this.#first.get(cause) ?? id
    this.#first.set(cause, first)
    if (first === id) return findingText(finding)
    const { requirement, request = '' } = finding
    return `      ${requirement}: the same as in ${first}${request && `, with ${requestLine(request)}`}`
  }
}

export function findingText(finding: Finding): string {
  const { requirement, says, expected, steps = [], request, curl, replay, occurrences } = finding
  const lines = [
    `${requirement}${occurrences === undefined ? '' : ` (${occurrences} times)`}: ${says}`,
    ...steps.map((step, index) => `${index === 0 ? 'before:  ' : '         '} ${index + 1}. ${step}`),
    `expected: ${expected}`,
    ...(request === undefined ? [] : [`request:  ${request}`]),
    ...answerLines(finding),
    ...(curl === undefined ? [] : ['try it:', curl.trimEnd()]),
    ...(replay === undefined ? [] : [`replay:   ${replay}`]),
  ]
  return lines.map((line) => line.replaceAll(/^/gm, '      ')).join('\n')
}

/** The answer, with a mark before the lines that differ. */
function answerLines({ answer, comparison }: Finding): string[] {
  if (answer === undefined) return []
  const [status = ''] = answer.split('\n')
  if (comparison === undefined) return [`answer:   ${answer.slice(0, 600)}`]
  return [`answer:   ${status}`, ...comparison.map(({ text, isMarked }) => `${isMarked ? '>' : ' '} ${text}`)]
}

/** Sorted by name, as people look for them. */
export function byArea(results: readonly CheckResult[]): [area: string, ofArea: CheckResult[]][] {
  const areas = Map.groupBy(results, ({ check }) => check.area)
  return [...areas].toSorted(([one], [other]) => one.localeCompare(other))
}

/** @param isStrict whether deviations count as failures */
export function countsOf(results: readonly CheckResult[], isStrict: boolean): Record<Outcome, number> {
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, deviation: 0, 'left out': 0, broken: 0 }
  for (const { outcome } of results) counts[isStrict && outcome === 'deviation' ? 'failed' : outcome] += 1
  return counts
}

export type Verdict = 'Passed' | 'Failed' | 'Incomplete' | 'Interrupted' | 'Error of the suite'

/**
 * The most important reason comes first: an interrupted run proves nothing, and a failure matters more than what was
 * left out.
 */
export function verdictOf({ passed, isInterrupted, results, isStrict, notBegun, broken }: ConformanceReport): Verdict {
  if (isInterrupted) return 'Interrupted'
  if (broken.length > 0) return 'Error of the suite'
  if (passed) return 'Passed'
  const isCut = notBegun.length > 0 || results.every(({ outcome }) => outcome === 'left out')
  return isCut && !results.some((result) => fails(result, isStrict)) ? 'Incomplete' : 'Failed'
}

/** The totals in words: `3 passed, 1 failed, …`. Zeros are left out, except for failures. */
function countsText({ passed, failed, deviation, 'left out': leftOut, broken }: Record<Outcome, number>): string {
  const error = broken === 0 ? '' : `, ${broken} errors of the suite`
  return `${passed} passed, ${failed} failed, ${deviation} deviating, ${leftOut} left out${error}`
}

/** The last lines of a run. */
export function summaryText(report: ConformanceReport): string {
  const { results, unexpectedPasses, remains, noUsers, isStrict } = report
  const areas = byArea(results)
  const width = Math.max(...areas.map(([area]) => area.length))
  const rows = areas.map(([area, ofArea]) => {
    return `  ${area.padEnd(width)}  ${countsText(countsOf(ofArea, isStrict))}`
  })
  return [
    '',
    ...rows,
    ...causeLines(report),
    ...(unexpectedPasses.length === 0 ? [] : [`expected to fail, and passed: ${unexpectedPasses.join(', ')}`]),
    ...refusalLines(report.refusals),
    ...(noUsers === undefined ? [] : [`no users were made: ${noUsers}`]),
    ...(remains.length === 0 ? [] : [`left behind: ${remains.length} (${namesOf(remains)})`]),
    `${report.url} at feature level ${report.featureLevel}: ${report.requests} requests in ${(report.durationMs / 1000).toFixed(1)} s${profileText(report)}, seed ${report.seed}`,
    ...incompleteLines(report),
    ...brokenLines(report),
    `${verdictOf(report).toUpperCase()}: ${countsText(countsOf(results, isStrict))}`,
  ].join('\n')
}

/** Failures by cause, the most frequent first. A failed check counts under the cause of its first finding. */
function causeLines({ results, isStrict }: ConformanceReport): string[] {
  const failed = results
    .filter((result) => fails(result, isStrict))
    .flatMap(({ check, findings, deviations }) => {
      const [finding] = [...findings, ...deviations]
      return finding === undefined ? [] : [{ id: check.id, finding }]
    })
  const causes = [...Map.groupBy(failed, ({ finding }) => sameness(finding)).values()]
  if (causes.length === failed.length) return []
  const ordered = causes.toSorted((one, other) => other.length - one.length)
  const lines = ordered.slice(0, mostCauses).flatMap((checks) => {
    const [first] = checks
    if (first === undefined) return []
    const { expected, request = '', answer = '' } = first.finding
    const what = /^HTTP 5/.test(answer) ? `${requestLine(request)} is answered ${answer.slice(0, 8)}` : expected
    return `  ${String(checks.length).padStart(4)}  ${what.slice(0, 150)} (${namesOf(checks.map(({ id }) => id))})`
  })
  const more = causes.length > mostCauses ? ['        …'] : []
  return [`${failed.length} checks failed; causes: ${causes.length}`, ...lines, ...more]
}

function namesOf(all: readonly string[]): string {
  return `${all.slice(0, mostNamed).join(', ')}${all.length > mostNamed ? ' …' : ''}`
}

/** Checks that the budget was too small for, by area. */
function incompleteLines({ results, notBegun }: ConformanceReport): string[] {
  if (notBegun.length === 0) return []
  const ids = new Set(notBegun)
  const counts = byArea(results.filter(({ check }) => ids.has(check.id))).map(
    ([area, ofArea]) => `${ofArea.length} of ${area}`,
  )
  return [`incomplete: the budget was too small for ${notBegun.length} checks: ${counts.join(', ')}`]
}

function brokenLines({ broken }: ConformanceReport): string[] {
  if (broken.length === 0) return []
  return [`the suite made a mistake in ${namesOf(broken)}: please report it, with the text after its name above`]
}

/** How many of the contract's refusals the run received; empty if it was not to provoke any. */
function refusalLines({ listed, seen, unseen, unprovoked }: ConformanceReport['refusals']): string[] {
  if (listed === 0) return []
  const missing = unseen.length === 0 ? '' : `; never: ${namesOf(unseen)}`
  const count = `refusals: ${seen} of the ${listed} that the contract lists came over the wire`
  return [`${count}, ${unprovoked.length} are not for a client to provoke${missing}`]
}

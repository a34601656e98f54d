import { type CheckResult, fails, type Outcome } from '../kernel/check.ts'
import { type Finding, sameness } from '../kernel/finding.ts'
import type { ConformanceReport } from '../run.ts'
import { byArea, countsOf, profileText, verdictOf } from './terminal.ts'

const words: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  deviation: 'deviating',
  'left out': 'left out',
  broken: 'errors of the suite',
}

/** Maximum size of the findings on the page; beyond it they are shown without their answers. */
const mostFindingBytes = 300_000
const mostOfText = 2000

/** A self-contained page: no script, no picture, no font. */
export function htmlReport(report: ConformanceReport): string {
  const { url, featureLevel, requests, durationMs, startedAt, seed, results, passed, unexpectedPasses, remains } =
    report
  const { isStrict, notBegun, broken } = report
  const page = new Page()
  const areas = byArea(results)
  const notes = [
    ...(report.isInterrupted ? ['The run was interrupted: checks that were under way or waiting are left out.'] : []),
    ...(report.noUsers === undefined ? [] : [`No users were made: ${report.noUsers}`]),
    ...(notBegun.length === 0 ? [] : [`The budget was too small for ${notBegun.length} checks, which are left out.`]),
    ...(broken.length === 0
      ? []
      : [`The suite itself made a mistake in ${broken.join(', ')}. Please report it, with the text shown there.`]),
    ...(unexpectedPasses.length === 0 ? [] : [`Expected to fail, and passed: ${unexpectedPasses.join(', ')}`]),
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Conformance of ${escaped(url)}</title>
<style>${style}</style>
<h1 class="${passed ? 'passed' : 'failed'}">${headline(report)}</h1>
<p>Feature level ${featureLevel}, held against the contract of level ${report.contractLevel}. ${escaped(startedAt)}, ${(durationMs / 1000).toFixed(1)} s, ${requests} requests${profileText(report)}, seed ${seed}.</p>
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
${namesList('left behind', remains)}
${failures(results, isStrict, page)}
<h2>Areas</h2>
<div><table>
<thead><tr><th scope="col">Area</th>${columns(results)
    .map((outcome) => `<th scope="col">${words[outcome]}</th>`)
    .join('')}</tr></thead>
<tbody>
${areas.map(([area, ofArea]) => areaRow(area, ofArea, columns(results), isStrict)).join('\n')}
${areaRow('All', results, columns(results), isStrict)}
</tbody>
</table></div>
${areas.map(([area, ofArea]) => areaSection(area, ofArea, isStrict, page)).join('\n')}
${refusalsSection(report.refusals)}
</html>
`
}

/** Begins with what was found, as a number of checks. */
function headline(report: ConformanceReport): string {
  const { failed } = countsOf(report.results, report.isStrict)
  const count = failed === 0 ? '' : `, ${failed} of ${report.results.length} checks failed`
  return `${verdictOf(report)}${count}: ${escaped(report.url)}`
}

/** Errors of the suite have a column only if there are any. */
function columns(results: readonly CheckResult[]): Outcome[] {
  const has = (outcome: Outcome): boolean => results.some((result) => result.outcome === outcome)
  return (Object.keys(words) as Outcome[]).filter((outcome) => outcome !== 'broken' || has(outcome))
}

function areaRow(area: string, results: readonly CheckResult[], shown: readonly Outcome[], isStrict: boolean): string {
  const counts = countsOf(results, isStrict)
  const cells = shown.map(
    (outcome) => `<td class="${counts[outcome] > 0 ? classOf(outcome) : 'none'}">${counts[outcome]}</td>`,
  )
  const name = area === 'All' ? area : `<a href="#${anchorOf(area)}">${escaped(area)}</a>`
  return `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`
}

/** Unexpected failures in full: they are why somebody opens the page. */
function failures(results: readonly CheckResult[], isStrict: boolean, page: Page): string {
  const failed = results.filter((result) => fails(result, isStrict))
  if (failed.length === 0) return ''
  return `<h2>What failed</h2>\n${blocks(failed, page)}`
}

/** A block for each check. Checks that only repeat findings are listed in another check's block. */
function blocks(results: readonly CheckResult[], page: Page): string {
  const findings = (result: CheckResult): Finding[] => [...result.findings, ...result.deviations]
  for (const result of results) {
    const keys = findings(result).map(sameness)
    if (keys.length > 0 && keys.every((key) => page.first(key) !== undefined)) page.repeat(result.check, keys[0] ?? '')
    for (const key of keys) page.begin(key, result.check)
  }
  return results
    .filter(({ check }) => !page.isRepeat(check))
    .map((result) => resultBlock(result, page))
    .join('\n')
}

/** Everything else, folded. */
function areaSection(area: string, results: readonly CheckResult[], isStrict: boolean, page: Page): string {
  const others = results.filter((result) => !fails(result, isStrict))
  const having = (outcome: Outcome) => others.filter((result) => result.outcome === outcome)
  const told = [...having('failed'), ...having('broken'), ...having('deviation')]
  const lists = (['left out', 'passed'] as const).map((outcome) => resultList(outcome, having(outcome)))
  return `<h3 id="${anchorOf(area)}">${escaped(area)}</h3>\n${[blocks(told, page), ...lists].join('\n')}`
}

/** Remembers what is on the page: nothing appears twice, so that the page stays small enough to send. */
class Page {
  /** The first check of each finding, by what it says. */
  readonly #first = new Map<string, CheckResult['check']>()
  /** Checks with no findings of their own, by the first finding that they repeat. */
  readonly #repeats = new Map<string, CheckResult['check'][]>()
  #bytes = 0

  first(key: string): CheckResult['check'] | undefined {
    return this.#first.get(key)
  }

  begin(key: string, check: CheckResult['check']): void {
    if (!this.#first.has(key)) this.#first.set(key, check)
  }

  repeat(check: CheckResult['check'], key: string): void {
    this.#repeats.set(key, [...(this.#repeats.get(key) ?? []), check])
  }

  isRepeat(check: CheckResult['check']): boolean {
    return [...this.#repeats.values()].some((checks) => checks.includes(check))
  }

  repeatsOf(key: string): readonly CheckResult['check'][] {
    return this.#repeats.get(key) ?? []
  }

  /** The longest text that fits; the last one always does. */
  fitting(...texts: readonly [string, ...string[]]): string {
    const text = texts.find((one) => this.#bytes + one.length <= mostFindingBytes) ?? texts.at(-1) ?? ''
    this.#bytes += text.length
    return text
  }
}

/** How many of the contract's refusals the run received; empty if it was not to provoke any. */
function refusalsSection({ listed, seen, unseen, unprovoked }: ConformanceReport['refusals']): string {
  if (listed === 0) return ''
  return `<h2>Refusals</h2>
<p>${seen} of the ${listed} that the contract lists came over the wire.</p>
${namesList('did not come', unseen)}
${namesList('are not for a client to provoke', unprovoked)}`
}

function namesList(what: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const items = names.map((name) => `<li>${escaped(name)}</li>`)
  return `<details><summary>${names.length} ${what}</summary>\n<ul>${items.join('\n')}</ul>\n</details>`
}

function resultList(outcome: Outcome, results: readonly CheckResult[]): string {
  if (results.length === 0) return ''
  const items = results.map(
    ({ check, reasons, isExpected }) =>
      `<li>${escaped(check.title)}${isExpected ? ' (expected to fail)' : ''} <code>${escaped(check.id)}</code>${reasonLines(reasons, outcome)}</li>`,
  )
  return `<details><summary><b class="${classOf(outcome)}">${results.length} ${words[outcome]}</b></summary>
<ul>${items.join('\n')}</ul>
</details>`
}

function resultBlock({ check, outcome, findings, deviations, reasons, isExpected }: CheckResult, page: Page): string {
  const word = `${words[outcome]}${isExpected ? ', expected to fail' : ''}`
  const inner = [
    `<p class="small">${escaped(check.requirements.join(', '))}</p>${reasonLines(reasons, outcome)}`,
    ...findings.map((finding) => findingBlock(finding, 'failed', check, page)),
    ...deviations.map((finding) => findingBlock(finding, 'deviation', check, page)),
  ]
  const isOpen = outcome === 'failed' && !isExpected
  return `<details id="${escaped(check.id)}"${isOpen ? ' open' : ''}><summary><b class="${classOf(outcome)}">${escaped(word)}</b> ${escaped(check.title)} <code>${escaped(check.id)}</code></summary>
${inner.join('\n')}
</details>`
}

function reasonLines(reasons: readonly string[], outcome: Outcome): string {
  const word = outcome === 'broken' ? 'Error' : 'Left out'
  return reasons.map((reason) => `<p class="small">${word}: ${marked(reason)}</p>`).join('')
}

function findingBlock(finding: Finding, kind: Outcome, check: CheckResult['check'], page: Page): string {
  const { requirement, says, expected, steps = [], occurrences = 1 } = finding
  const times = occurrences === 1 ? '' : ` <b>${occurrences} times</b>`
  const head = `<section class="${classOf(kind)}"><p><b>${escaped(requirement)}</b>${times} ${marked(says)}</p>`
  const key = sameness(finding)
  const first = page.first(key)
  const brief = `${head}<p>Expected: ${marked(shortened(expected))}</p>${repeats(page.repeatsOf(key))}</section>`
  if (first !== undefined && first !== check) {
    const link = `<a href="#${escaped(first.id)}">${escaped(first.id)}</a>`
    return page.fitting(`${head}<p>The same as in ${link}.</p></section>`)
  }
  const path = steps.map((step) => `<li>${escaped(step)}</li>`).join('')
  const before = path === '' ? '' : `<p>Before:</p><ol>${path}</ol>`
  const whole = `${head}${before}${sidesOf(finding)}${requestOf(finding)}${repeats(page.repeatsOf(key))}</section>`
  return page.fitting(whole, brief)
}

function repeats(checks: readonly CheckResult['check'][]): string {
  if (checks.length === 0) return ''
  const links = checks.map(({ id }) => `<a id="${escaped(id)}" href="#${escaped(id)}">${escaped(id)}</a>`)
  return `<p>The same in ${checks.length} more ${checks.length === 1 ? 'check' : 'checks'}: ${links.join(', ')}</p>`
}

/** The expectation beside the answer. */
function sidesOf({ expected, answer = '', comparison }: Finding): string {
  const [status = '', ...text] = answer.split('\n')
  const lines = comparison?.map((line) => (line.isMarked ? `<mark>${escaped(line.text)}</mark>` : escaped(line.text)))
  const came =
    answer === ''
      ? 'No answer.'
      : `<p>${escaped(status)}</p><pre>${lines?.join('\n') ?? escaped(text.join('\n'))}</pre>`
  return `<div class="sides"><div><h4>Expected</h4><p>${marked(expected)}</p></div><div><h4>Answer</h4>${came}</div></div>`
}

function requestOf({ request, curl, replay }: Finding): string {
  const parts: [string, string | undefined][] = [
    ['Request', request],
    ['Try it', curl],
    ['Replay', replay],
  ]
  const shown = parts.flatMap(([name, text]) =>
    text === undefined ? [] : [`<dt>${name}</dt><dd><pre>${escaped(shortened(text))}</pre></dd>`],
  )
  return shown.length === 0 ? '' : `<details><summary>Request</summary><dl>${shown.join('')}</dl></details>`
}

function shortened(text: string): string {
  return text.length <= mostOfText ? text : `${text.slice(0, mostOfText)}…`
}

function classOf(outcome: Outcome): string {
  return outcome.replace(' ', '-')
}

function anchorOf(area: string): string {
  return area.toLowerCase().replaceAll(/\W+/g, '-')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** HTML of a text in which backticks mark code. */
function marked(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1, li, summary, section { overflow-wrap: anywhere; }
h1 { line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child { padding-left: 0; text-align: left; }
tbody th { font-weight: normal; }
tbody tr:last-child > * { font-weight: bold; }
ul { margin: .5rem 0; padding-left: 1.2rem; }
li, details { margin: .3rem 0; }
summary { cursor: pointer; }
details > p, details > ul, section { margin: .5rem 0 .5rem 1.2rem; }
section { border-left: .25rem solid; padding-left: .8rem; }
section > *, dl { color: CanvasText; }
h3 { margin: 1.5rem 0 .3rem; }
h4 { margin: 0; font-size: 1em; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: .5rem 0; }
.sides > div { min-width: 0; }
.sides p { margin: .2rem 0; overflow-wrap: anywhere; }
@media (max-width: 50rem) { .sides { grid-template-columns: 1fr; } }
mark { background: light-dark(#ffd7d7, #6b1a1f); color: inherit; font-weight: bold; }
section a { color: LinkText; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: .5rem; margin: 0; max-height: 20rem; overflow: auto; }
dt { font-weight: bold; }
dd { margin: 0 0 .5rem; }
p.small { margin-top: 0; margin-bottom: 0; font-size: .875rem; opacity: .8; }
.passed { color: light-dark(#176c2d, #6fd388); }
.failed { color: light-dark(#b3121d, #ff8b8b); }
.deviation { color: light-dark(#7a5200, #f0c060); }
.left-out { color: light-dark(#555, #aaa); }
.none { opacity: .4; }
`

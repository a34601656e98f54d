import type { CheckResult, Outcome } from '../kernel/check.ts'
import type { Finding } from '../kernel/finding.ts'
import type { ConformanceReport } from '../run.ts'
import { countsOf, verdictOf } from './terminal.ts'

const words: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  deviation: 'deviating',
  'left out': 'left out',
}

/** One page that needs nothing else: no script, no picture, no font. */
export function htmlReport(report: ConformanceReport): string {
  const { url, featureLevel, requests, durationMs, startedAt, seed, results, passed, unexpectedPasses, remains } =
    report
  const areas = Map.groupBy(results, ({ check }) => check.area)
  const notes = [
    ...(report.isInterrupted ? ['The run was interrupted: checks that were under way or waiting are left out.'] : []),
    ...(report.noUsers === undefined ? [] : [`No users were made: ${report.noUsers}`]),
    ...(unexpectedPasses.length === 0 ? [] : [`Expected to fail, and passed: ${unexpectedPasses.join(', ')}`]),
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Conformance of ${escaped(url)}</title>
<style>${style}</style>
<h1 class="${passed ? 'passed' : 'failed'}">${verdictOf(report)}: ${escaped(url)}</h1>
<p>Feature level ${featureLevel}, held against the contract of level ${report.contractLevel}. ${escaped(startedAt)}, ${(durationMs / 1000).toFixed(1)} s, ${requests} requests, seed ${seed}.</p>
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
${namesList('left behind', remains)}
<div><table>
<thead><tr><th scope="col">Area</th>${Object.values(words)
    .map((word) => `<th scope="col">${word}</th>`)
    .join('')}</tr></thead>
<tbody>
${[...areas].map(([area, ofArea]) => areaRow(area, ofArea)).join('\n')}
${areaRow('All', results)}
</tbody>
</table></div>
${failureLinks(results)}
${[...areas].map(([area, ofArea]) => areaSection(area, ofArea)).join('\n')}
${refusalsSection(report.refusals)}
</html>
`
}

function areaRow(area: string, results: readonly CheckResult[]): string {
  const counts = countsOf(results)
  const cells = (Object.keys(words) as Outcome[]).map(
    (outcome) => `<td class="${counts[outcome] > 0 ? classOf(outcome) : 'none'}">${counts[outcome]}</td>`,
  )
  const name = area === 'All' ? area : `<a href="#${anchorOf(area)}">${escaped(area)}</a>`
  return `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`
}

/** Failures that nobody expects, each a link to its place. */
function failureLinks(results: readonly CheckResult[]): string {
  const failed = results.filter(({ outcome, isExpected }) => outcome === 'failed' && !isExpected)
  if (failed.length === 0) return ''
  const links = failed.map(
    ({ check }) => `<li><a href="#${escaped(check.id)}">${escaped(check.id)}</a> ${escaped(check.title)}</li>`,
  )
  return `<h2>What failed</h2>\n<ul>${links.join('\n')}</ul>`
}

/** Failures and deviations come first; the many that passed or were left out take a line until somebody asks. */
function areaSection(area: string, results: readonly CheckResult[]): string {
  const having = (outcome: Outcome) => results.filter((result) => result.outcome === outcome)
  const blocks = [...having('failed'), ...having('deviation')].map(resultBlock)
  const lists = (['left out', 'passed'] as const).map((outcome) => resultList(outcome, having(outcome)))
  return `<h2 id="${anchorOf(area)}">${escaped(area)}</h2>\n${[...blocks, ...lists].join('\n')}`
}

/** How much of what the contract lists as refusals has come; empty when none were to be provoked. */
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
      `<li>${escaped(check.title)}${isExpected ? ' (expected to fail)' : ''} <code>${escaped(check.id)}</code>${requirementsLine(check)}${reasonLines(reasons)}</li>`,
  )
  return `<details><summary><b class="${classOf(outcome)}">${results.length} ${words[outcome]}</b></summary>
<ul>${items.join('\n')}</ul>
</details>`
}

function resultBlock({ check, outcome, findings, deviations, reasons, isExpected }: CheckResult): string {
  const word = `${words[outcome]}${isExpected ? ', expected to fail' : ''}`
  const inner = [
    `${requirementsLine(check)}${reasonLines(reasons)}`,
    ...findings.map((finding) => findingBlock(finding, 'failed')),
    ...deviations.map((finding) => findingBlock(finding, 'deviation')),
  ]
  return `<details id="${escaped(check.id)}"${isExpected ? '' : ' open'}><summary><b class="${classOf(outcome)}">${escaped(word)}</b> ${escaped(check.title)} <code>${escaped(check.id)}</code></summary>
${inner.join('\n')}
</details>`
}

function requirementsLine({ requirements }: CheckResult['check']): string {
  return `<p class="small">${escaped(requirements.join(', '))}</p>`
}

function reasonLines(reasons: readonly string[]): string {
  return reasons.map((reason) => `<p class="small">Left out: ${marked(reason)}</p>`).join('')
}

function findingBlock({ requirement, says, expected, request, answer, curl, replay }: Finding, kind: Outcome): string {
  const parts: [string, string | undefined][] = [
    ['Request', request],
    ['Answer', answer],
    ['Try it', curl],
    ['Replay', replay],
  ]
  const shown = parts.flatMap(([name, text]) =>
    text === undefined ? [] : [`<dt>${name}</dt><dd><pre>${escaped(text)}</pre></dd>`],
  )
  return `<section class="${classOf(kind)}"><p><b>${escaped(requirement)}</b> ${marked(says)}</p>
<dl><dt>Expected</dt><dd>${marked(expected)}</dd>${shown.join('')}</dl></section>`
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

/** Text in which what stands between backticks is code. */
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
section > p, dl { color: CanvasText; }
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

import type { CheckResult, Outcome } from '../check.ts'
import type { Finding } from '../finding.ts'
import type { ConformanceReport } from '../run.ts'
import { countsOf } from './terminal.ts'

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
    ...(report.noUsers === undefined ? [] : [`No users were made: ${report.noUsers}`]),
    ...(unexpectedPasses.length === 0 ? [] : [`Expected to fail, and passed: ${unexpectedPasses.join(', ')}`]),
    ...(remains.length === 0 ? [] : [`Left behind: ${remains.join(', ')}`]),
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Conformance of ${escaped(url)}</title>
<style>${style}</style>
<h1 class="${passed ? 'passed' : 'failed'}">${passed ? 'Passed' : 'Failed'}: ${escaped(url)}</h1>
<p>Feature level ${featureLevel}, held against the contract of level ${report.contractLevel}. ${escaped(startedAt)}, ${(durationMs / 1000).toFixed(1)} s, ${requests} requests, seed ${seed}.</p>
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
<table>
<thead><tr><th scope="col">Area</th>${Object.values(words)
    .map((word) => `<th scope="col">${word}</th>`)
    .join('')}</tr></thead>
<tbody>
${[...areas].map(([area, ofArea]) => areaRow(area, ofArea)).join('\n')}
${areaRow('All', results)}
</tbody>
</table>
${[...areas].map(([area, ofArea]) => areaSection(area, ofArea)).join('\n')}
</html>
`
}

function areaRow(area: string, results: readonly CheckResult[]): string {
  const counts = countsOf(results)
  const cells = (Object.keys(words) as Outcome[]).map(
    (outcome) => `<td class="${counts[outcome] > 0 ? classOf(outcome) : ''}">${counts[outcome]}</td>`,
  )
  const name = area === 'All' ? area : `<a href="#${anchorOf(area)}">${escaped(area)}</a>`
  return `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`
}

function areaSection(area: string, results: readonly CheckResult[]): string {
  return `<h2 id="${anchorOf(area)}">${escaped(area)}</h2>\n${results.map(resultBlock).join('\n')}`
}

function resultBlock({ check, outcome, findings, deviations, reasons, isExpected }: CheckResult): string {
  const word = `${words[outcome]}${isExpected ? ', expected to fail' : ''}`
  const inner = [
    `<p>${escaped(check.requirements.join(', '))}</p>`,
    ...reasons.map((reason) => `<p>Left out: ${escaped(reason)}</p>`),
    ...findings.map((finding) => findingBlock(finding, 'failed')),
    ...deviations.map((finding) => findingBlock(finding, 'deviation')),
  ]
  const open = outcome === 'failed' || outcome === 'deviation' ? ' open' : ''
  return `<details${open}><summary><b class="${classOf(outcome)}">${escaped(word)}</b> ${escaped(check.title)} <code>${escaped(check.id)}</code></summary>
${inner.join('\n')}
</details>`
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
  return `<section class="${classOf(kind)}"><p><b>${escaped(requirement)}</b> ${escaped(says)}</p>
<dl><dt>Expected</dt><dd>${escaped(expected)}</dd>${shown.join('')}</dl></section>`
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

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1, summary { overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8884; }
tbody th, thead th:first-child { text-align: left; font-weight: normal; }
tbody tr:last-child { font-weight: bold; }
details { margin: .3rem 0; }
details > p, section { margin: .5rem 0 .5rem 1.2rem; }
section { border-left: .25rem solid; padding-left: .8rem; }
section > p, dl, dd { color: CanvasText; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: .5rem; margin: 0; max-height: 20rem; overflow: auto; }
dt { font-weight: bold; }
dd { margin: 0 0 .5rem; }
.passed { color: light-dark(#176c2d, #6fd388); }
.failed { color: light-dark(#b3121d, #ff8b8b); }
.deviation { color: light-dark(#7a5200, #f0c060); }
.left-out { color: light-dark(#555, #aaa); }
`

import type { Results, Scenario, Spread } from './results.ts'

/** The aims of docs/performance.md, in requests a second. */
const LEAST_A_SECOND: Readonly<Record<string, number>> = {
  'GET /messages, newest 100': 2600,
  'POST /messages, FULL': 7000,
}
const PIPELINE_US = 15

/** An aim, in bold type if it was missed. */
function aim(text: string, isReached: boolean): string {
  return isReached ? text : `**${text}**`
}

function atMost(most: number, found: number, unit: string): string {
  return aim(`≤ ${most} ${unit}`, found <= most)
}

/** The results as Markdown, which is also readable in a terminal; it continues the line with date and machine. */
export function reportOf(results: Results): string {
  const { scenarios, start, versions } = results
  const requests = scenarios.map(({ name, perSecond, p50Ms, p99Ms, processorUs, floor, ratio }) => {
    const least = LEAST_A_SECOND[name]
    return [
      name,
      range(perSecond),
      milliseconds(p50Ms),
      milliseconds(p99Ms),
      Number.isFinite(processorUs) ? `${whole(processorUs)} µs` : '',
      `${percent(ratio)} of ${whole(floor)}`,
      least === undefined ? '' : aim(`≥ ${whole(least)}`, perSecond.median >= least),
    ]
  })
  const others = [
    ...results.pipeline.map(({ name, microseconds }) => [
      `route, decode and validate, ${name}`,
      `${microseconds.toFixed(1)} µs`,
      atMost(PIPELINE_US, microseconds, 'µs'),
    ]),
    [
      '`createParley(…).start({ port: 0 })`, empty organization',
      `${range(start.embedded)} ms`,
      atMost(300, start.embedded.median, 'ms'),
    ],
    ['… from the start of its process, imports included', `${range(start.embeddedWithImports)} ms`, ''],
    ['`npm start` to the first answer', `${range(start.npmStart)} ms`, atMost(700, start.npmStart.median, 'ms')],
    ['… the server process alone', `${range(start.process)} ms`, atMost(500, start.process.median, 'ms')],
    [
      'first start: generate, migrations, demo organization; no compile cache',
      `${whole(start.first)} ms`,
      atMost(3000, start.first, 'ms'),
    ],
    [
      'resident memory after the start and one request',
      `${range(start.residentMiB)} MiB`,
      atMost(110, start.residentMiB.median, 'MiB'),
    ],
  ]
  return `; ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}. ${results.rounds} × ${results.seconds} s each, min / median / max.

${table(['16 connections', 'a second', 'p50', 'p99', 'processor time', 'of bare node:http', 'aim'], requests)}

${table(['other', 'measured', 'aim'], others)}`
}

/** The share of the floor's rate that each scenario reaches. */
export function ratioReportOf(scenarios: readonly Scenario[]): string {
  const rows = scenarios.map(({ name, ratio }) => [name, percent(ratio)])
  return `${table(['requests', 'of bare node:http'], rows)}\n`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(3, cell.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function range({ min, median, max }: Spread): string {
  return min === max ? whole(median) : `${whole(min)} / ${whole(median)} / ${whole(max)}`
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(ratio < 0.1 ? 1 : 0)} %`
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`
}

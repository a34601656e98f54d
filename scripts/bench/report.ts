import type { Growth } from './growth.ts'
import type { Results, Scenario, Spread } from './results.ts'

interface Aim {
  readonly what: string
  readonly aim: string
  readonly found: string
  readonly isReached: boolean
}

/** The aims of docs/performance.md, with the results of this run. */
function aims({ scenarios, pipeline, start }: Results): Aim[] {
  const atLeast = (what: string, least: number, found: number): Aim => ({
    what,
    aim: `≥ ${whole(least)}/s`,
    found: `${whole(found)}/s`,
    isReached: found >= least,
  })
  const atMost = (what: string, most: number, found: number, unit: string): Aim => ({
    what,
    aim: `≤ ${most} ${unit}`,
    found: `${found < 10 ? found.toFixed(1) : whole(found)} ${unit}`,
    isReached: found <= most,
  })
  const perSecond = (name: string) => scenarios.find((one) => one.name.startsWith(name))?.parley.perSecond.median ?? 0
  const read = scenarios.find(({ name }) => name.startsWith('GET /messages/{id}'))
  const ofKoa = read?.floors.find(({ name }) => name === 'bare Koa')?.ratio ?? 0
  return [
    atLeast('GET /messages/{id}', 15_000, perSecond('GET /messages/{id}')),
    { what: 'GET /messages/{id} of bare Koa', aim: '≥ 30 %', found: percent(ofKoa), isReached: ofKoa >= 0.3 },
    atLeast('POST /messages, FULL', 4000, perSecond('POST /messages, FULL')),
    atLeast('POST /messages, NORMAL', 4000, perSecond('POST /messages, NORMAL')),
    ...pipeline.map(({ name, microseconds }) => atMost(`route + decode + validate, ${name}`, 15, microseconds, 'µs')),
    atMost('createParley(…).start(), empty organization', 300, start.embedded.median, 'ms'),
    atMost('npm start to the first answer', 700, start.npmStart.median, 'ms'),
    atMost('server process to the first answer', 500, start.process.median, 'ms'),
    atMost('first start', 3000, start.first, 'ms'),
    atMost('memory at rest', 110, start.residentMiB.median, 'MiB'),
  ]
}

/** The results as Markdown, which is also readable in a terminal. */
export function reportOf(results: Results): string {
  const { scenarios, fanOut, start, versions } = results
  const requests = scenarios.flatMap(({ name, connections, parley, floors }) => [
    [
      `**${name}**, ${connections} connections`,
      range(parley.perSecond),
      milliseconds(parley.p50Ms),
      milliseconds(parley.p99Ms),
      parley.processorUs === undefined ? '' : `${whole(parley.processorUs)} µs`,
      '',
    ],
    ...floors.map((floor) => [`floor: ${floor.name}`, whole(floor.perSecond), '', '', '', percent(floor.ratio)]),
  ])
  const others = [
    [`${whole(fanOut.polls)} parked polls, one message: last byte of the last answer`, `${range(fanOut.parley)} ms`],
    ['… the sender has its own answer', `${range(fanOut.send)} ms`],
    ['… floor: bare node:http answering as many', `${range(fanOut.bare)} ms`],
    ['`createParley(…).start({ port: 0 })`, empty organization', `${range(start.embedded)} ms`],
    ['… from the start of its process, imports included', `${range(start.embeddedWithImports)} ms`],
    ['`npm start` to the first answer', `${range(start.npmStart)} ms`],
    ['… the server process alone', `${range(start.process)} ms`],
    ['first start: generate, migrations, demo organization; no compile cache', `${whole(start.first)} ms`],
    ['resident memory after the start and one request', `${range(start.residentMiB)} MiB`],
  ]
  return `${results.date.slice(0, 10)}, ${results.machine}; ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}. ${results.rounds} × ${results.seconds} s each, min / median / max.

${table(['requests', 'a second', 'p50', 'p99', 'processor time', 'of the floor'], requests)}

${table(['other', 'measured'], others)}

${table(
  ['aim', 'wanted', 'found', ''],
  aims(results).map(({ what, aim, found, isReached }) => [what, aim, found, isReached ? 'reached' : '**missed**']),
)}
`
}

/** What share of bare Koa's rate each scenario reaches. */
export function ratioReportOf(scenarios: readonly Scenario[]): string {
  const rows = scenarios.map(({ name, floors }) => {
    const { ratio = Number.NaN } = floors.find((floor) => floor.name === 'bare Koa') ?? {}
    return [name, percent(ratio)]
  })
  return `${table(['requests', 'of bare Koa'], rows)}\n`
}

/** The duration of each operation as one quantity grows: the median of several requests, one at a time. */
export function growthReportOf(grown: readonly Growth[], machine: string): string {
  const tables = grown.map(({ quantity, sizes, operations }) => {
    const rows = operations.map(({ name, ms }) => [
      name,
      ...ms.map(({ median }) => milliseconds(median)),
      `× ${((ms.at(-1)?.median ?? Number.NaN) / (ms[0]?.median ?? Number.NaN)).toFixed(1)}`,
    ])
    return table([quantity, ...sizes.map(whole), 'last / first'], rows)
  })
  return `${new Date().toISOString().slice(0, 10)}, ${machine}.\n\n${tables.join('\n\n')}\n`
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

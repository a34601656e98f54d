import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { AreaCoverage } from './coverage.ts'
import { idsInRange, inRanges, prefixOf } from './id-ranges.ts'

/** Requirements without a check, by what will bring one, such as `drafts`; ids in the order of the requirements. */
export type Unchecked = ReadonlyMap<string, readonly string[]>

const file = join(import.meta.dirname, 'unchecked.yaml')
const renew = 'npm run requirements -- --write'
const widest = 120

const head = `# Requirements that no check names yet, by what brings the operations that they are about. The list may only shrink:
# a test fails for an id here that has a check by now, and for one without a check that is not here. Whoever adds checks
# runs \`${renew}\`, which takes ids out and never puts any in; after a merge conflict in this file
# take either side and run it again.
`

export function readUnchecked(): Unchecked {
  return parseUnchecked(readFileSync(file, 'utf8'))
}

/** @throws {Error} if the text is not a mapping of reasons to lists of ids and ranges such as `ENV-1..4` */
export function parseUnchecked(text: string): Unchecked {
  const groups = Object.entries((parse(text) ?? {}) as Record<string, unknown>)
  return new Map(groups.map(([reason, lines]) => [reason, idsOf(reason, lines)]))
}

function idsOf(reason: string, lines: unknown): string[] {
  if (!Array.isArray(lines)) throw new Error(`unchecked.yaml: '${reason}' must have a list of ids`)
  return lines.flatMap((line) => String(line).split(' ')).flatMap(idsInRange)
}

/** One line for each error in the list; empty if it has exactly the requirements without a check. */
export function uncheckedProblems(listed: Unchecked, areas: readonly AreaCoverage[]): string[] {
  const ids = [...listed.values()].flat()
  const without = idsOfAll(areas, 'unchecked')
  const checked = idsOfAll(areas, 'checked')
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
  const stale = ids.filter((id) => !without.has(id))
  const missing = [...without].filter((id) => !ids.includes(id))
  return [
    ...repeated.map((id) => `${id} is there twice`),
    ...stale.map((id) => `${id} ${checked.has(id) ? 'has a check by now' : 'is nothing that can be tested'}: ${renew}`),
    ...missing.map((id) => `${id} has no check: give it one`),
  ]
}

/** The list without requirements that now have a check. */
export function shrunk(listed: Unchecked, areas: readonly AreaCoverage[]): Unchecked {
  const without = idsOfAll(areas, 'unchecked')
  const groups = [...listed].map(([reason, ids]) => [reason, ids.filter((id) => without.has(id))] as const)
  return new Map(groups.filter(([, ids]) => ids.length > 0))
}

function idsOfAll(areas: readonly AreaCoverage[], part: 'checked' | 'unchecked'): ReadonlySet<string> {
  return new Set(areas.flatMap((area) => area[part].map(({ id }) => id)))
}

export function writeUnchecked(listed: Unchecked): void {
  writeFileSync(file, uncheckedText(listed))
}

/** The text of the file: each prefix of ids begins a line. */
export function uncheckedText(listed: Unchecked): string {
  const groups = [...listed].map(([reason, ids]) => {
    const lines = [...Map.groupBy(ids, prefixOf).values()].flatMap(linesOf)
    return `\n${reason}:\n${lines.join('\n')}\n`
  })
  return `${head}${groups.join('')}`
}

function linesOf(ids: readonly string[]): string[] {
  const lines: string[] = []
  for (const range of inRanges(ids)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + range.length > widest) lines.push(`  - ${range}`)
    else lines[lines.length - 1] = `${last} ${range}`
  }
  return lines
}

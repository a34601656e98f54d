/** Compares what the survey misses with `survivors.yaml`. That list may only shrink. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { idOf, type Mutant } from './mutants-testing.ts'

/** Mutants that nobody notices, for one reason. A mutant belongs to the first matching entry. */
interface Survivors {
  readonly why: string
  /** Whether a right server may do this: the reason names what allows it. */
  readonly equivalent?: boolean
  /** Regular expressions; without one everything matches. */
  readonly subject?: string
  readonly path?: string
  readonly operator?: string
  readonly count: number
}

const listed = parse(readFileSync(join(import.meta.dirname, 'survivors.yaml'), 'utf8')) as readonly Survivors[]

/** Describes where the list is wrong about these mutants. */
export function unlike(missed: readonly Mutant[], isComplete: boolean): string[] {
  const byEntry = Map.groupBy(missed, entryOf)
  const unlisted = (byEntry.get(undefined) ?? []).map((one) => `nobody notices: ${idOf(one)}`)
  const counted = listed.flatMap((entry) => {
    const all = byEntry.get(entry) ?? []
    if (all.length > entry.count)
      return `${all.length} instead of ${entry.count}: ${entry.why}: ${all.map(idOf).join(', ')}`
    return isComplete && all.length < entry.count ? `only ${all.length} of ${entry.count} are left: ${entry.why}` : []
  })
  return [...unlisted, ...counted]
}

/** One line for each entry, including what a right server may do. */
export function equivalents(missed: readonly Mutant[]): string[] {
  const byEntry = Map.groupBy(missed, entryOf)
  return listed
    .filter(({ equivalent }) => equivalent)
    .map((one) => `${byEntry.get(one)?.length ?? 0} because ${one.why}`)
}

function entryOf(mutant: Mutant): Survivors | undefined {
  const fits = (pattern: string | undefined, text: string): boolean =>
    pattern === undefined || new RegExp(pattern).test(text)
  return listed.find(
    ({ subject, path, operator }) =>
      fits(subject, mutant.subject) && fits(path, mutant.path) && fits(operator, mutant.operator),
  )
}

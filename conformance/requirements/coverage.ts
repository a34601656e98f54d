import type { Check } from '../kernel/check.ts'
import { inRanges } from './id-ranges.ts'
import type { Requirement, Requirements } from './requirements.ts'

/** How far the checks cover the MUST requirements of one area. */
export interface AreaCoverage {
  readonly area: string
  /** Ids that a check names, itself or, with same-as, all whose checks check it too. */
  readonly checked: readonly string[]
  readonly unchecked: readonly string[]
  /** Reasons by id. */
  readonly untestable: ReadonlyMap<string, string>
}

/** Areas in the order of the requirements, without those that have no MUST. */
export function coverageOf({ all }: Requirements, checks: readonly Check[]): AreaCoverage[] {
  const named = new Set(checks.flatMap(({ requirements, conditional = [] }) => [...requirements, ...conditional]))
  const isChecked = ({ id, sameAs }: Requirement): boolean =>
    named.has(id) || (sameAs.length > 0 && sameAs.every((other) => named.has(other)))
  const musts = [...all.values()].filter(({ kind }) => kind === 'MUST')
  return [...Map.groupBy(musts, ({ area }) => area)].map(([area, ofArea]) => {
    const testable = ofArea.filter(({ untestable }) => untestable === undefined)
    const [checked, unchecked] = [true, false].map((wanted) =>
      testable.filter((requirement) => isChecked(requirement) === wanted).map(({ id }) => id),
    )
    const reasons = ofArea.flatMap(({ id, untestable }) =>
      untestable === undefined ? [] : [[id, untestable] as const],
    )
    return { area, checked: checked ?? [], unchecked: unchecked ?? [], untestable: new Map(reasons) }
  })
}

/** @param reasons by id why a requirement has no check yet */
export function coverageText(areas: readonly AreaCoverage[], reasons: ReadonlyMap<string, string>): string {
  const lines = areas.flatMap(({ area, checked, unchecked, untestable }) => [
    `${area}: ${checked.length} of ${checked.length + unchecked.length} MUST have a check`,
    ...[...Map.groupBy(unchecked, (id) => reasons.get(id) ?? 'a check')].flatMap(([reason, ids]) =>
      wrapped(`    waits for ${reason}:`, inRanges(ids)),
    ),
    ...[...untestable].map(([id, why]) => `    ${id} cannot be seen from outside: ${why}`),
  ])
  const [checked, unchecked, untestable] = areas.reduce(
    (sums, area) => [sums[0] + area.checked.length, sums[1] + area.unchecked.length, sums[2] + area.untestable.size],
    [0, 0, 0] as [number, number, number],
  )
  return [
    ...lines,
    `All: ${checked} of ${checked + unchecked} MUST have a check, ${unchecked} have none, ${untestable} cannot be tested`,
  ].join('\n')
}

function wrapped(begin: string, words: readonly string[]): string[] {
  const lines = [begin]
  for (const word of words) {
    const last = lines.at(-1) ?? begin
    if (last.length + word.length > 119) lines.push(`        ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

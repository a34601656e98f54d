import type { Check } from '../kernel/check.ts'
import type { Operation } from '../wire/contract.ts'
import { type Kind, kinds, type Requirement, type Requirements } from './requirements.ts'

/** How many requirements of an area the checks cover. */
export interface AreaCoverage {
  readonly area: string
  /** Requirements that a check names, or, with same-as, whose referenced requirements all have checks. */
  readonly checked: readonly Requirement[]
  readonly unchecked: readonly Requirement[]
  /** With their reasons. */
  readonly untestable: readonly Requirement[]
}

/** Areas in the order of the requirements. */
export function coverageOf({ all }: Requirements, checks: readonly Check[]): AreaCoverage[] {
  const named = new Set(checks.flatMap(({ requirements, conditional = [] }) => [...requirements, ...conditional]))
  const isChecked = ({ id, sameAs }: Requirement): boolean =>
    named.has(id) || (sameAs.length > 0 && sameAs.every((other) => named.has(other)))
  return [...Map.groupBy(all.values(), ({ area }) => area)].map(([area, ofArea]) => {
    const testable = ofArea.filter(({ untestable }) => untestable === undefined)
    return {
      area,
      checked: testable.filter(isChecked),
      unchecked: testable.filter((requirement) => !isChecked(requirement)),
      untestable: ofArea.filter(({ untestable }) => untestable !== undefined),
    }
  })
}

/**
 * Ids of the operations whose own behaviour no check shows. Rules for all operations, such as the envelope or
 * authentication, do not count. A check shows an operation if it names it, or one of its requirements, as its own.
 * Operations that would leave nobody to send further requests have tests of the server instead.
 */
export function operationsWithoutCheck(
  operations: Iterable<Operation>,
  { all }: Requirements,
  checks: readonly Check[],
): string[] {
  const shown = new Set(checks.flatMap(({ requirements, also = [] }) => [...requirements, ...also]))
  const isShownBy =
    ({ id, method, path }: Operation) =>
    (check: Check): boolean => {
      const area = `${method} ${path.replace('/api/v1', '')}`
      const names = check.requirements.some((requirement) => all.get(requirement)?.area === area)
      return names && check.operations.includes(id)
    }
  return [...operations]
    .filter(({ endsService }) => !endsService)
    .filter((operation) => !shown.has(operation.id) && !checks.some(isShownBy(operation)))
    .map(({ id }) => id)
}

/** @param withoutCheck operations that no check shows */
export function coverageText(areas: readonly AreaCoverage[], withoutCheck: readonly string[]): string {
  const lines = areas.flatMap(({ area, checked, unchecked, untestable }) => [
    `${area}: ${shares(checked, unchecked)} have a check`,
    ...unchecked.map(({ id, says }) => `    ${id} waits for a check: ${says}`),
    ...untestable.map(({ id, untestable: why }) => `    ${id} cannot be seen from outside: ${why}`),
  ])
  const [checked, unchecked, untestable] = (['checked', 'unchecked', 'untestable'] as const).map((part) =>
    areas.flatMap((area) => area[part]),
  ) as [Requirement[], Requirement[], Requirement[]]
  return [
    ...lines,
    ...(withoutCheck.length > 0 ? [`Operations without a check of their own: ${withoutCheck.join(' ')}`] : []),
    `All: ${shares(checked, unchecked)} have a check; ${unchecked.length} have none, ${untestable.length} cannot be tested`,
  ].join('\n')
}

/** `3 of 5 MUST, 1 of 1 MAY` */
function shares(checked: readonly Requirement[], unchecked: readonly Requirement[]): string {
  return kinds
    .flatMap((wanted: Kind) => {
      const [have, lack] = [checked, unchecked].map((list) => list.filter(({ kind }) => kind === wanted).length)
      const sum = (have ?? 0) + (lack ?? 0)
      return sum === 0 ? [] : [`${have} of ${sum} ${wanted}`]
    })
    .join(', ')
}

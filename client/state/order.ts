export const ascending = (a: number, b: number): number => a - b

/** `list` in the order of its keys. */
export function byKey<One>(list: readonly One[], keyOf: (one: One) => number | string): One[] {
  return list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))))
}

export const ascending = (a: number, b: number): number => a - b

/** `list`, sorted by key. */
export function byKey<One>(list: readonly One[], keyOf: (one: One) => number | string): One[] {
  return list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))))
}

/** The view of each item under its key, in the order of keys. */
export function keyed<One>(
  list: readonly One[],
  keyOf: (one: One) => number | string,
  view: (one: One) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(byKey(list, keyOf).map((one) => [keyOf(one), view(one)]))
}

export function picked(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

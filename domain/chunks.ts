/**
 * Yields `list` in pieces of at most `size`, in order. For lists that are too long for one statement or one turn of the
 * event loop.
 */
export function* chunksOf<Item>(list: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

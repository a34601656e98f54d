/**
 * Yields `list` in pieces of at most `size`, in order. For lists that are too long for one statement or one turn of the
 * event loop.
 */
export function* chunksOf<Item>(list: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

/** Yields `items` in pieces of at most `most.count`, and of at most `most.size` altogether or one item, in order. */
export function* chunksBySize<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  most: { readonly size: number; readonly count?: number },
): Generator<Item[]> {
  let piece: Item[] = []
  let size = 0
  for (const item of items) {
    const more = sizeOf(item)
    if (piece.length === most.count || (piece.length > 0 && size + more > most.size)) {
      yield piece
      piece = []
      size = 0
    }
    piece.push(item)
    size += more
  }
  if (piece.length > 0) yield piece
}

/** MariaDB stores 16 MiB of an event at most. */
const EVENT_LIST_BYTES = 2 ** 20

/**
 * Yields `list` in pieces for one event each, in order. The JSON of a piece is at most 1 MiB, or one item. For lists
 * whose items contain what people write.
 */
export function chunksForEvents<Item>(list: readonly Item[]): Generator<Item[]> {
  return chunksBySize(list, (item) => Buffer.byteLength(JSON.stringify(item)), { size: EVENT_LIST_BYTES })
}

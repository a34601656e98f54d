/**
 * Yields `list` in pieces of at most `size`, in order. For lists that are too long for one statement or one turn of the
 * event loop.
 */
export function* chunksOf<Item>(list: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

/** MariaDB stores 16 MiB of an event at most. */
const EVENT_LIST_BYTES = 2 ** 20

/**
 * Yields `list` in pieces for one event each, in order. The JSON of a piece is at most 1 MiB, or one item. For lists
 * whose items contain what people write.
 */
export function* chunksForEvents<Item>(list: readonly Item[]): Generator<Item[]> {
  let piece: Item[] = []
  let bytes = 0
  for (const item of list) {
    const size = Buffer.byteLength(JSON.stringify(item))
    if (piece.length > 0 && bytes + size > EVENT_LIST_BYTES) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(item)
    bytes += size
  }
  if (piece.length > 0) yield piece
}

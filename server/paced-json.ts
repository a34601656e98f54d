import { chunksOf } from '../domain/chunks.ts'
import { EncodedJson, type JsonPieces } from '../domain/json-pieces.ts'
import type { Pauses } from '../event-loop/pauses.ts'

/** Shorter lists and maps are written without a pause. */
const SHORT = 50
/** Number of items that are turned into JSON between two looks at the clock. */
const WRITTEN_TOGETHER = 20
/** Depth up to which lists and maps are looked for: the answer, its fields, and the fields of these. */
const LEVELS = 3

/**
 * Whether `value` is so large that its JSON should be made with pauses, or contains finished JSON. Does not look at its
 * items.
 */
export function isLong(value: unknown, levels = LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof EncodedJson) return true
  if (Array.isArray(value)) return value.length > SHORT
  const fields = value as Record<string, unknown>
  if (typeof fields.toJSON === 'function') return false
  // `for in` is slow on an object that a handler has just made.
  const values = Object.values(fields)
  // The answer itself has only the fields of the contract.
  if (levels < LEVELS && values.length > SHORT) return true
  return levels > 1 && values.some((one) => isLong(one, levels - 1))
}

/**
 * Adds the JSON of `value`, as `JSON.stringify` makes it but without the outer braces or brackets, in pieces that do
 * not keep others waiting (SEC-LOOP-3).
 */
export async function writeInside(
  value: object,
  pieces: JsonPieces,
  pauses: Pauses,
  levels: number = LEVELS,
): Promise<void> {
  let isFirst = true
  const begin = (json: string): void => {
    if (json === '') return
    pieces.add(isFirst ? json : `,${json}`)
    isFirst = false
  }
  if (Array.isArray(value)) {
    for (const items of chunksOf(value, WRITTEN_TOGETHER)) {
      begin(inside(items))
      await pauses.letOthers()
    }
    return
  }
  for (const fields of runsOf(Object.entries(value), ([, field]) => isLong(field, levels - 1))) {
    const [name, only] = fields[0] ?? ['', undefined]
    if (only instanceof EncodedJson) {
      begin(`${JSON.stringify(name)}:`)
      for (const piece of only.pieces) pieces.add(piece)
    } else if (isLong(only, levels - 1)) {
      const [open, close] = Array.isArray(only) ? '[]' : '{}'
      begin(`${JSON.stringify(name)}:${open}`)
      await writeInside(only as object, pieces, pauses, levels - 1)
      pieces.add(close as string)
    } else begin(inside(Object.fromEntries(fields)))
    await pauses.letOthers()
  }
}

/** Splits `list` in order into single items, which must be alone, and runs of the others. */
function* runsOf<Item>(list: readonly Item[], isAlone: (item: Item) => boolean): Generator<readonly Item[]> {
  let run: Item[] = []
  for (const item of list) {
    const alone = isAlone(item)
    if (run.length > 0 && (alone || run.length === WRITTEN_TOGETHER)) {
      yield run
      run = []
    }
    if (alone) yield [item]
    else run.push(item)
  }
  if (run.length > 0) yield run
}

function inside(value: object): string {
  return JSON.stringify(value).slice(1, -1)
}

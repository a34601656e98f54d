import { Pauses } from '../db/pauses.ts'
import type { Entry } from './pack.ts'

/** How large a file with lines gets before the next one begins. */
const PART_BYTES = 1024 * 1024

/** One file of JSON. */
export function jsonEntry(name: string, value: unknown): Entry {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  return { name, size: bytes.length, content: [bytes] }
}

/**
 * A line of JSON for each row, in as many files of a mebibyte as it takes, and one at least:
 * `folder/000001.jsonl`, `folder/000002.jsonl`, ….
 */
export async function* lineEntries(
  folder: string,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  pauses = new Pauses(),
): AsyncIterable<Entry> {
  let lines: Buffer[] = []
  let size = 0
  let part = 0
  const flush = (): Entry => {
    part += 1
    const entry = { name: `${folder}/${String(part).padStart(6, '0')}.jsonl`, size, content: lines }
    lines = []
    size = 0
    return entry
  }
  for await (const row of rows) {
    const line = Buffer.from(`${JSON.stringify(row)}\n`)
    lines.push(line)
    size += line.length
    if (size >= PART_BYTES) yield flush()
    await pauses.letOthers()
  }
  if (size > 0 || part === 0) yield flush()
}

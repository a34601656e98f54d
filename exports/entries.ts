import { Pauses } from '../event-loop/pauses.ts'
import type { Entry } from './pack.ts'

/** A file of lines that has reached this size is followed by the next one. */
const PART_BYTES = 1024 * 1024

/** A file with one JSON value. */
export function jsonEntry(name: string, value: unknown): Entry {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  return { name, size: bytes.length, content: [bytes] }
}

/**
 * Yields a line of JSON for each row, in files of a mebibyte each, and at least one file:
 *
 * `folder/000001.jsonl`, `folder/000002.jsonl`, ….
 */
export async function* lineEntries(
  folder: string,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncIterable<Entry> {
  const pauses = new Pauses()
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

import { createReadStream } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { MIB } from '../../domain/attachments/attachment.ts'
import { ArchiveError, shown } from './archive-error.ts'

/** Maximum ratio of unpacked to packed bytes, without uploaded files; text packs about 20 to 1. */
const MAX_TIMES_PACKED = 200
/** Up to this size the ratio is not checked. */
const UNSUSPICIOUS_BYTES = 64 * MIB
/** The longest line is a message of the maximum length with all its edits. */
const MAX_LINE_BYTES = 64 * MIB
/** Each value takes some hundred bytes in memory. A message with the reactions of thousands of people has the most. */
const MAX_VALUES = 2_000_000
/** Shorter lines cannot have that many values. */
const SHORT_LINE_BYTES = MIB
/** Maximum size of a file of lines, which ends with the line that takes it over a mebibyte. */
const MAX_FILE_BYTES = MAX_LINE_BYTES + 2 * MIB

/** A file in an archive. Read its contents before asking for the next one. */
export interface PackedFile {
  readonly name: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Yields the files of an archive in order. Uses only some megabytes of memory, regardless of the size or content of the
 * archive.
 *
 * @param isDeclared whether the archive has announced this file, so that its size is expected
 * @throws {ArchiveError} if it is not an archive, or is incomplete
 */
export async function* unpacked(
  path: string,
  isDeclared: (name: string) => boolean,
): AsyncGenerator<PackedFile, void, void> {
  const source = createReadStream(path)
  const gunzip = createGunzip()
  const { readable, writable } = createTarDecoder({ strict: true })
  const writer = writable.getWriter()
  const reader = readable.getReader()
  let declaredBytes = 0
  const limit = () => UNSUSPICIOUS_BYTES + declaredBytes + MAX_TIMES_PACKED * source.bytesRead
  let bytes = 0
  const pump = async (): Promise<void> => {
    try {
      for await (const chunk of source.pipe(gunzip) as AsyncIterable<Uint8Array>) {
        bytes += chunk.length
        if (bytes > limit()) throw new ArchiveError('The archive holds much more than its size tells: it is refused')
        await writer.write(new Uint8Array(chunk))
      }
      await writer.close()
    } catch (err) {
      await writer.abort(reasonOf(err)).catch(() => undefined)
    }
  }
  source.on('error', (err) => gunzip.destroy(err))
  const pumped = pump()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { header, body } = next.value
      const name = header.name.replace(/^\.\//, '')
      if (header.type === 'directory' && /^[a-z_/]*$/.test(name)) {
        await body.cancel()
        continue
      }
      if (header.type !== 'file') throw new ArchiveError(`${shown(name)} is no file but a ${header.type}`)
      if (isDeclared(name)) declaredBytes += header.size
      else if (header.size > MAX_FILE_BYTES) throw new ArchiveError(`${shown(name)} is too large: ${header.size} bytes`)
      yield { name, size: header.size, bytes: body as unknown as AsyncIterable<Uint8Array> }
    }
  } catch (err) {
    throw reasonOf(err)
  } finally {
    source.destroy()
    gunzip.destroy()
    await reader.cancel().catch(() => undefined)
    await pumped
  }
}

/** The error that zlib or the tar reader reports for a damaged archive. */
function reasonOf(err: unknown): unknown {
  const { code = '', message } = err as { code?: string; message: string }
  if (code === 'Z_BUF_ERROR' || /truncated/i.test(message)) return new ArchiveError('The archive is cut off')
  if (code === 'Z_DATA_ERROR') return new ArchiveError('The archive is no gzip, or damaged')
  if (err instanceof Error && err.constructor === Error && code === '') {
    return new ArchiveError(`The archive is no tar, or damaged: ${message}`)
  }
  return err
}

/** A line of a file, and its place. */
export interface Line {
  readonly value: Readonly<Record<string, unknown>>
  readonly place: string
}

/** Yields lines of JSON objects. @throws {ArchiveError} for a line that is not an object, or too long */
export async function* linesOf({ name, bytes }: PackedFile): AsyncGenerator<Line, void, void> {
  let number = 0
  let parts: Uint8Array[] = []
  let length = 0
  const take = (): Line => {
    number += 1
    const line = Buffer.concat(parts)
    const place = `${name} line ${number}`
    parts = []
    length = 0
    if (line.length > SHORT_LINE_BYTES && valuesIn(line) > MAX_VALUES) {
      throw new ArchiveError(`${place} has more than ${MAX_VALUES} values`)
    }
    return { value: object(line.toString('utf8'), place), place }
  }
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      start = end + 1
      yield take()
    }
    const rest = chunk.subarray(start)
    length += rest.length
    if (length > MAX_LINE_BYTES) throw new ArchiveError(`${name} line ${number + 1} is too long`)
    if (rest.length > 0) parts.push(rest)
  }
  if (parts.length > 0) yield take()
}

const [QUOTE, ESCAPE, COMMA, LIST, OBJECT] = [...'"\\,[{'].map((one) => one.charCodeAt(0))

/** An upper bound of the number of lists, objects and values in the JSON, except for the outermost. */
function valuesIn(json: Uint8Array): number {
  let count = 0
  let isInText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) isInText = !isInText
    else if (isInText) {
      if (byte === ESCAPE) at += 1
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) count += 1
  }
  return count
}

/** Reads a file with one JSON object. @throws {ArchiveError} */
export async function objectIn({ name, bytes }: PackedFile): Promise<Line> {
  return { value: object(await textOf(bytes), name), place: name }
}

function object(text: string, place: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ArchiveError(`${place} is no JSON`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ArchiveError(`${place} is no JSON object`)
  }
  return value as Record<string, unknown>
}

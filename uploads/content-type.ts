import { isUtf8 } from 'node:buffer'

const UNKNOWN = 'application/octet-stream'
const TEXT = 'text/plain; charset=utf-8'
/** Types that a browser might execute or render as a page. Such files are served without their own type. */
const ACTIVE = /xml|html|svg|script|shockwave/
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is in binary files and in no text
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/
const MAX_TYPE_LENGTH = 100
/**
 * Number of bytes at the beginning of a file that is enough for every type that file-type detects by the first bytes.
 */
export const HEAD_BYTES = 4100

/**
 * Returns the type of a file by its content. Ignores its name and the client's claim, because both may lie.
 *
 * @param head the first bytes
 * @param isWhole whether these are all bytes
 */
export async function contentTypeOf(head: Uint8Array, isWhole: boolean): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  let detected: string | undefined
  try {
    detected = (await fileTypeFromBuffer(head))?.mime
  } catch {
    // The file starts like a known type but is broken, or the type depends on bytes after the head.
  }
  if (detected !== undefined) return ACTIVE.test(detected) || detected.length > MAX_TYPE_LENGTH ? UNKNOWN : detected
  return isText(head, isWhole) ? TEXT : UNKNOWN
}

function isText(head: Uint8Array, isWhole: boolean): boolean {
  // The last character may be cut off; it has up to four bytes.
  const whole = isWhole ? [head] : [0, 1, 2, 3].map((cut) => head.subarray(0, head.length - cut))
  const text = whole.find((bytes) => isUtf8(bytes))
  return text !== undefined && text.length > 0 && !BINARY.test(Buffer.from(text).toString('utf8'))
}

/** Header of an array or object, and of its elements. */
const HEADER = 64
/** A reference to a value. */
const SLOT = 8
const STRING_HEADER = 16

/**
 * Estimates the memory of a JSON value in bytes. The result is more likely too high than too low: strings count two
 * bytes a character.
 */
export function heapBytes(value: unknown): number {
  if (typeof value === 'string') return SLOT + STRING_HEADER + value.length * 2
  if (typeof value !== 'object' || value === null) return SLOT
  let bytes = SLOT + HEADER
  // Objects with the same fields share their names, but each object may have other fields.
  if (Array.isArray(value)) for (const item of value) bytes += heapBytes(item)
  else for (const name of Object.keys(value)) bytes += SLOT + heapBytes((value as Record<string, unknown>)[name])
  return bytes
}

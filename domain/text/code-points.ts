/**
 * Lengths of text count Unicode code points, not UTF-16 units, because limits of the API mean characters, and a
 * database column of n characters holds n code points.
 */

/**
 * Whether `text` has more than `max` code points. Reads at most `max` + 1 of them, so huge input does not cost more.
 */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && endOfCodePoint(text, max) < text.length
}

/** Returns the index in UTF-16 units after the first `count` code points of `text`, or its length if it has fewer. */
export function endOfCodePoint(text: string, count: number): number {
  let index = 0
  for (let seen = 0; seen < count && index < text.length; seen++) {
    index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1
  }
  return index
}

/**
 * Returns `text` if it has at most `max` code points; otherwise its beginning plus `ending`, together `max` code
 * points.
 */
export function cutTo(text: string, max: number, ending: string): string {
  if (!isLongerThan(text, max)) return text
  return text.slice(0, endOfCodePoint(text, max - [...ending].length)) + ending
}

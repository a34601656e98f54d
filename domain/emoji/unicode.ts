import table from './table.json' with { type: 'json' }

/**
 * Code points in lower-case hexadecimal joined by `-`, without variation selectors: `1f419`, `1f1eb-1f1ef`,
 * `0031-20e3`.
 */
export type EmojiCode = string

/** Names by code, the canonical one first (scripts/emoji-table.ts). */
export const emojiNames: Readonly<Record<EmojiCode, readonly string[]>> = table

const TEXT_STYLE = 0xfe0e
const EMOJI_STYLE = 0xfe0f
const JOINER = 0x200d

interface Index {
  /** Code by name. */
  readonly codes: ReadonlyMap<string, EmojiCode>
  /** Code points that an emoji can begin with. */
  readonly firsts: ReadonlySet<number>
  /** Code points of the longest emoji. */
  readonly longest: number
}

let made: Index | undefined

/** Built on demand, so that a start does not wait for it. */
function index(): Index {
  if (made) return made
  const codes = new Map<string, EmojiCode>()
  const firsts = new Set<number>()
  let longest = 0
  for (const [code, names] of Object.entries(emojiNames)) {
    for (const name of names) codes.set(name, code)
    firsts.add(Number.parseInt(code, 16))
    longest = Math.max(longest, code.split('-').length)
  }
  made = { codes, firsts, longest }
  return made
}

/** Returns undefined if the name is not a Unicode emoji. Names are compared exactly. */
export function emojiCodeOf(name: string): EmojiCode | undefined {
  return index().codes.get(name)
}

/** Returns the canonical name; undefined if the code is not an emoji. */
export function emojiNameOf(code: EmojiCode): string | undefined {
  return Object.hasOwn(emojiNames, code) ? emojiNames[code]?.[0] : undefined
}

export interface LiteralEmoji {
  readonly code: EmojiCode
  /** The canonical one. */
  readonly name: string
  /** In UTF-16 units, including variation selectors. */
  readonly length: number
}

/**
 * Returns the emoji written out at `position` (UTF-16 units), the longest known one. Undefined also for
 *
 * - a part of an unknown sequence, such as one with a skin tone: it stays text;
 * - a single character below U+2300 without an emoji selector (©, ™, ↔), which is ordinary text, and any with a text
 * selector.
 *
 * Looks at only a few code points, regardless of the text.
 */
export function literalEmojiAt(text: string, position: number): LiteralEmoji | undefined {
  const first = text.codePointAt(position)
  const { firsts, longest } = index()
  if (first === undefined || !firsts.has(first) || text.charCodeAt(position - 1) === JOINER) return undefined
  let code = ''
  let end = position
  let found: LiteralEmoji | undefined
  for (let count = 0; count < longest; count++) {
    const point = text.codePointAt(end)
    if (point === undefined) break
    code += `${count > 0 ? '-' : ''}${point.toString(16).padStart(4, '0')}`
    end += point > 0xffff ? 2 : 1
    const hasSelector = text.charCodeAt(end) === EMOJI_STYLE
    if (hasSelector) end += 1
    const name = emojiNameOf(code)
    if (name !== undefined && (hasSelector || count > 0 || first >= 0x2300)) {
      found = { code, name, length: end - position }
    }
  }
  return found && !continuesEmoji(text.codePointAt(position + found.length)) ? found : undefined
}

/** Whether this code point changes the emoji before it into another one. */
function continuesEmoji(point: number | undefined): boolean {
  if (point === undefined) return false
  const isSkinTone = point >= 0x1f3fb && point <= 0x1f3ff
  const isTag = point >= 0xe0020 && point <= 0xe007f
  return point === JOINER || point === TEXT_STYLE || isSkinTone || isTag
}

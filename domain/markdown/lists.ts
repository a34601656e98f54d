import type { StateBlock, Token } from 'markdown-it'

type BlockRule = (state: StateBlock, startLine: number, endLine: number, isSpeculative: boolean) => boolean

const NUMBER = /^\d{1,9}\.[ \t]+/
const MARKER = /^(?:[-+*]|\d{1,9}\.)(?:[ \t]|$)/
const DIGIT = /^\d\.[ \t]+\S/
const WRONG_NUMBER = /^\d{1,9}\)/
/** A text such as `+` or `-` would become a bullet, which says neither. */
const LONE_MARKER = /^(?:[-+*]|\d{1,9}\.)$/
/** Spaces that indent a list inside of the item above it. */
const NESTING = 2

/**
 * Changes `list` of markdown-it: numbers end only in a dot, no list begins with a lone marker, a list from any digit may
 * follow a line of text, and two spaces always nest a list. markdown-it requires as many spaces as the marker above is
 * wide, which is three or more for numbers.
 */
export function listRule(list: BlockRule): BlockRule {
  return (state, startLine, endLine, isSpeculative) => {
    const text = textOf(state, startLine)
    if (WRONG_NUMBER.test(text) || (!isSpeculative && LONE_MARKER.test(text))) return false
    if (!isSpeculative) nestBelowNumbers(state, startLine, endLine)
    const { parentType } = state
    // Below a paragraph, markdown-it would accept only the number 1.
    if (isSpeculative && DIGIT.test(text)) state.parentType = 'root'
    const isList = list(state, startLine, endLine, isSpeculative)
    state.parentType = parentType
    return isList
  }
}

/** Merges consecutive lists with different bullets, by removing the end of the first and the start of the next. */
export function joinBulletLists(tokens: Token[]): Token[] {
  if (!tokens.some(({ type }) => type === 'bullet_list_close')) return tokens
  const joined: Token[] = []
  for (const token of tokens) {
    if (token.type === 'bullet_list_open' && joined.at(-1)?.type === 'bullet_list_close') joined.pop()
    else joined.push(token)
  }
  return joined
}

/**
 * Moves a list directly below a number, indented by two spaces or more, to where markdown-it expects it. Changes only
 * the counted columns, not the text. Everything indented below the list moves with it.
 */
function nestBelowNumbers(state: StateBlock, startLine: number, endLine: number): void {
  if (!NUMBER.test(textOf(state, startLine))) return
  const base = state.sCount[startLine] as number
  let contents = 0
  let shift = 0
  for (let line = startLine; line < endLine; line++) {
    const text = textOf(state, line)
    if (text === '') continue
    const indent = state.sCount[line] as number
    if (indent < base + NESTING) {
      const number = NUMBER.exec(text)
      if (number === null) return
      contents = indent + number[0].length
      shift = 0
    } else {
      if (shift === 0 && indent < contents && MARKER.test(text)) shift = contents - indent
      state.sCount[line] = indent + shift
    }
  }
}

function textOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] as number) + (state.tShift[line] as number), state.eMarks[line])
}

import type { StateBlock, Token } from 'markdown-it'

type BlockRule = (state: StateBlock, startLine: number, endLine: number, isSpeculative: boolean) => boolean

const NUMBER = /^\d{1,9}\.[ \t]+/
const MARKER = /^(?:[-+*]|\d{1,9}\.)(?:[ \t]|$)/
const WRONG_NUMBER = /^\d{1,9}\)/
/** Spaces by which a list stands inside the item above it. */
const NESTING = 2

/**
 * `list` of markdown-it, bent: numbers end in a dot only, and two spaces nest a list everywhere; markdown-it wants as many
 * as the marker above is wide, which is three and more for numbers.
 */
export function listRule(list: BlockRule): BlockRule {
  return (state, startLine, endLine, isSpeculative) => {
    if (WRONG_NUMBER.test(textOf(state, startLine))) return false
    if (!isSpeculative) nestBelowNumbers(state, startLine, endLine)
    return list(state, startLine, endLine, isSpeculative)
  }
}

/** Lists with different bullets that follow each other are one: the end of the first and the start of the next go. */
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
 * Moves the list that follows a number directly, two spaces inside of it or more, to where markdown-it looks for it: only
 * the columns that it counts change, not the text. Everything that is indented below moves along.
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

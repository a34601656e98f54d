import type { StateBlock } from 'markdown-it'

/** Content of a fence: unchanged text, a formula, or nested blocks. */
type FenceKind = 'code' | 'math' | 'quote' | 'spoiler'

interface Fence {
  /** Character code of the marks, and their number. */
  readonly mark: number
  readonly length: number
  /** Text after the marks; empty in a line that can end a fence. */
  readonly info: string
}

const FENCE = /^(`{3,}|~{3,})(.*)$/
const KINDS: ReadonlyMap<string, FenceKind> = new Map([
  ['quote', 'quote'],
  ['quoted', 'quote'],
  ['spoiler', 'spoiler'],
  ['math', 'math'],
])
const BACKTICK = 0x60

/** Block rule for everything between two lines of backticks or tildes. A fence without an end ends with its block. */
export function fenceRule(state: StateBlock, startLine: number, endLine: number, isSpeculative: boolean): boolean {
  const fence = fenceAt(state, startLine)
  if (fence === undefined) return false
  if (isSpeculative) return true
  const kind = kindOf(fence)
  const { line, isClosed } =
    kind === 'quote' || kind === 'spoiler'
      ? endOfContainer(state, startLine, endLine, fence)
      : endOfText(state, startLine, endLine, fence)
  state.line = isClosed ? line + 1 : line
  switch (kind) {
    case 'quote':
      state.push('blockquote_open', 'blockquote', 1)
      parseInside(state, startLine + 1, line)
      state.push('blockquote_close', 'blockquote', -1)
      break
    case 'spoiler':
      pushSpoiler(state, fence, startLine + 1, line)
      break
    default: {
      const token = state.push(kind === 'math' ? 'math_block' : 'fence', 'code', 0)
      token.info = fence.info
      token.content = state.getLines(startLine + 1, line, state.sCount[startLine] as number, true)
    }
  }
  return true
}

/**
 * Splits the text after a fence, in the forms `python`, `.python` and `{.python}`, into the first word and the rest.
 */
export function wordsOfInfo(info: string): { first: string; rest: string } {
  let words = info.trim()
  if (words.startsWith('{')) words = words.slice(1, words.endsWith('}') ? -1 : undefined).trim()
  if (words.startsWith('.')) words = words.slice(1)
  const end = words.search(/\s|[{}]/)
  return end === -1 ? { first: words, rest: '' } : { first: words.slice(0, end), rest: words.slice(end).trim() }
}

function fenceAt(state: StateBlock, line: number): Fence | undefined {
  if ((state.sCount[line] as number) - state.blkIndent >= 4) return undefined
  const start = (state.bMarks[line] as number) + (state.tShift[line] as number)
  const mark = state.src.charCodeAt(start)
  if (mark !== BACKTICK && mark !== 0x7e) return undefined
  const match = FENCE.exec(state.src.slice(start, state.eMarks[line]))
  if (match === null) return undefined
  const [, marks = '', behind = ''] = match
  const info = behind.trim()
  const fence = { mark, length: marks.length, info }
  return info.includes(marks.charAt(0)) && !isSpoilerWithCode(fence) ? undefined : fence
}

/**
 * A line with further backticks is text with a code span, and one with further tildes is struck text, unless it is the
 * header of a spoiler, because text would show the hidden content. A code span that begins with the marks ends with as
 * many backticks.
 */
function isSpoilerWithCode(fence: Fence): boolean {
  return kindOf(fence) === 'spoiler' && !fence.info.match(/`+/g)?.some((run) => run.length === fence.length)
}

function kindOf({ info }: Fence): FenceKind {
  return KINDS.get(wordsOfInfo(info).first.toLowerCase()) ?? 'code'
}

/** Whether the block around the fence has ended before `line`. */
function isOutside(state: StateBlock, line: number): boolean {
  const isEmpty = (state.bMarks[line] as number) + (state.tShift[line] as number) >= (state.eMarks[line] as number)
  return !isEmpty && (state.sCount[line] as number) < state.blkIndent
}

function ends({ mark, length, info }: Fence, opener: Fence): boolean {
  return info === '' && mark === opener.mark && length >= opener.length
}

interface End {
  readonly line: number
  readonly isClosed: boolean
}

/** In a fence with text, only the line that ends it has a meaning. It has at least as many marks as the first line. */
function endOfText(state: StateBlock, startLine: number, endLine: number, opener: Fence): End {
  for (let line = startLine + 1; line < endLine; line++) {
    if (isOutside(state, line)) return { line, isClosed: false }
    const fence = fenceAt(state, line)
    if (fence !== undefined && ends(fence, opener)) return { line, isClosed: true }
  }
  return { line: endLine, isClosed: false }
}

/** Fences inside a container end first, regardless of their length. The container's own end has exactly its marks. */
function endOfContainer(state: StateBlock, startLine: number, endLine: number, opener: Fence): End {
  const open = [opener]
  for (let line = startLine + 1; line < endLine; line++) {
    if (isOutside(state, line)) return { line, isClosed: false }
    const fence = fenceAt(state, line)
    if (fence === undefined) continue
    const innermost = open.at(-1) as Fence
    const kind = kindOf(innermost)
    if (kind === 'code' || kind === 'math') {
      if (ends(fence, innermost)) open.pop()
    } else if (ends(fence, innermost) && fence.length === innermost.length) {
      open.pop()
      if (open.length === 0) return { line, isClosed: true }
    } else open.push(fence)
  }
  return { line: endLine, isClosed: false }
}

/** Parses the lines from `startLine` up to, but not including, `endLine` as blocks. */
function parseInside(state: StateBlock, startLine: number, endLine: number): void {
  const { lineMax, parentType, line } = state
  state.lineMax = endLine
  state.parentType = 'blockquote'
  state.md.block.tokenize(state, startLine, endLine)
  Object.assign(state, { lineMax, parentType, line })
}

function pushSpoiler(state: StateBlock, fence: Fence, startLine: number, endLine: number): void {
  const header = wordsOfInfo(fence.info).rest
  state.push('spoiler_open', 'div', 1)
  state.push('spoiler_header_open', 'div', 1)
  if (header !== '') {
    state.push('paragraph_open', 'p', 1)
    const inline = state.push('inline', '', 0)
    inline.content = header
    inline.children = []
    state.push('paragraph_close', 'p', -1)
  }
  state.push('spoiler_header_close', 'div', -1)
  state.push('spoiler_content_open', 'div', 1)
  parseInside(state, startLine, endLine)
  state.push('spoiler_content_close', 'div', -1)
  state.push('spoiler_close', 'div', -1)
}

export const spoilerRenderers: Readonly<Record<string, () => string>> = {
  spoiler_open: () => '<div class="spoiler-block">',
  spoiler_header_open: () => '<div class="spoiler-header">\n',
  spoiler_header_close: () => '</div>',
  spoiler_content_open: () => '<div class="spoiler-content" aria-hidden="true">\n',
  spoiler_content_close: () => '</div>',
  spoiler_close: () => '</div>\n',
}

import type MarkdownIt from 'markdown-it'
import type { StateBlock, StateInline } from 'markdown-it'
import { linkWorkOfText } from '../linkifiers/link-pattern.ts'
import { scopeOf, type WorkLeft } from './scope.ts'

/** The longest message has 10,000 lines; the rest is for lines in nested blocks. */
const MAX_LINES = 25_000
const MAX_LABEL_STEPS = 50_000
/** Each date takes a fifth of a millisecond, because it creates the formatter of a time zone. */
export const MAX_ZONED_DATES = 50

/**
 * Returns the limits of the work for one text. They apply where the work of markdown-it grows faster than the text: it
 * reads the lines of a quote once for each quote around them, and again for each line that may continue the quote, and
 * it searches for the end of a link's text after every bracket. When the work is used up, the rest is text.
 */
export function allWork(): WorkLeft {
  return { linesLeft: MAX_LINES, labelStepsLeft: MAX_LABEL_STEPS, zonedDates: new Map(), links: linkWorkOfText() }
}

/** Makes `markdown` count its work. Block rules check `linesLeft`. */
export function boundWork(markdown: InstanceType<typeof MarkdownIt>): void {
  const { block, inline } = markdown
  const tokenize = block.tokenize.bind(block)
  block.tokenize = (state: StateBlock, startLine: number, endLine: number): void => {
    // A list item counts all lines below it as its own until it has found its end.
    if (state.parentType !== 'list') scopeOf(state).linesLeft -= endLine - startLine
    tokenize(state, startLine, endLine)
  }

  /** Same as in markdown-it, but counts its steps. */
  markdown.helpers.parseLinkLabel = (state: StateInline, start: number, disableNested = false): number => {
    const scope = scopeOf(state)
    const { pos: before, posMax, src } = state
    let level = 1
    let end = -1
    state.pos = start + 1
    while (state.pos < posMax && scope.labelStepsLeft > 0) {
      scope.labelStepsLeft -= 1
      const mark = src.charAt(state.pos)
      if (mark === ']') level -= 1
      if (level === 0) {
        end = state.pos
        break
      }
      const { pos } = state
      inline.skipToken(state)
      if (mark !== '[') continue
      if (state.pos === pos + 1) level += 1
      else if (disableNested) break
    }
    state.pos = before
    return end
  }
}

type InlineRule = (state: StateInline, isSpeculative: boolean) => boolean

/** The rule `link` of markdown-it, but tried only before the last place where a link's text can end. */
export function linkRule(link: InlineRule): InlineRule {
  return (state, isSpeculative) => {
    const { src, pos } = state
    if (src.charCodeAt(pos) !== 0x5b) return false
    const scope = scopeOf(state)
    if (scope.lastLabel?.src !== src) scope.lastLabel = { src, end: src.lastIndexOf('](') }
    return pos < scope.lastLabel.end && link(state, isSpeculative)
  }
}

import MarkdownIt, { type StateBlock, type StateCore, type StateInline, type Token } from 'markdown-it'
import { codeSpanRule, renderCodeBlock } from './code.ts'
import { bareUrlRule, completeLinks, linkTarget } from './links.ts'
import { type MentionScope, mentionRule, renderMention } from './mentions.ts'

/**
 * The message markup on top of markdown-it. What the markup does not have is switched off and stays text: HTML, entity
 * references, backslash escapes, link reference definitions, underlined headings, images, tables.
 */
const markdown = new MarkdownIt({ html: false, breaks: true })
markdown.disable([
  ...['linkify', 'replacements', 'smartquotes', 'text_join'],
  ...['table', 'reference', 'html_block', 'lheading'],
  ...['escape', 'image', 'autolink', 'html_inline', 'entity'],
])
markdown.core.ruler.at('inline', inlineRule)
markdown.block.ruler.before('blockquote', 'lone_quote_mark', loneQuoteMarkRule)
markdown.inline.ruler.at('text', textRule)
markdown.inline.ruler.at('backticks', codeSpanRule)
markdown.inline.ruler.push('mention', mentionRule)
markdown.inline.ruler.push('bare_url', bareUrlRule)
markdown.normalizeLink = linkTarget
markdown.validateLink = (target) => target !== ''
Object.assign(markdown.renderer.rules, {
  code_block: renderCodeBlock,
  fence: renderCodeBlock,
  mention: renderMention,
  s_open: () => '<del>',
  s_close: () => '</del>',
})

/** Parsed Markdown: blocks, and in each token of type `inline` its children. */
export function parse(content: string, scope: MentionScope): Token[] {
  return markdown.parse(content, { ...scope })
}

/** HTML of parsed Markdown, blocks separated by a newline. */
export function renderTokens(tokens: Token[]): string {
  return markdown.renderer.render(tokens, markdown.options as Required<typeof markdown.options>).trimEnd()
}

/** Core rule: parses the text of the blocks, and tells the inline rules whether a block stands in a quote. */
function inlineRule(state: StateCore): void {
  let quotes = 0
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes++
    else if (token.type === 'blockquote_close') quotes--
    else if (token.type === 'inline' && token.children !== null) {
      ;(state.env as MentionScope).isQuoted = quotes > 0
      state.md.inline.parse(token.content, state.md, state.env, token.children)
      if (token.content.includes('](')) completeLinks(token.children)
      if (token.content.includes('***')) putStrongOutside(token.children)
    }
  }
}

/** Block rule: lines that hold nothing but `>` are text; markdown-it would make an empty quote of them. */
function loneQuoteMarkRule(state: StateBlock, startLine: number, endLine: number): boolean {
  if (!isLoneQuoteMark(state, startLine)) return false
  let line = startLine
  while (line < endLine && isLoneQuoteMark(state, line)) line++
  if (line < endLine && lineText(state, line).startsWith('>')) return false
  state.line = line
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = Array(line - startLine)
    .fill('>')
    .join('\n')
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  return true
}

function isLoneQuoteMark(state: StateBlock, line: number): boolean {
  const indent = (state.sCount[line] as number) - state.blkIndent
  return indent >= 0 && indent < 4 && lineText(state, line).trimEnd() === '>'
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] as number) + (state.tShift[line] as number), state.eMarks[line])
}

const BEGINS_INLINE_RULE = new Uint8Array(128)
for (const character of '\n*:@[]`~') BEGINS_INLINE_RULE[character.charCodeAt(0)] = 1

/** Inline rule: everything up to the next character that another rule begins with. `_` is none: it is no emphasis. */
function textRule(state: StateInline, isSpeculative: boolean): boolean {
  let end = state.pos
  while (end < state.posMax && BEGINS_INLINE_RULE[state.src.charCodeAt(end)] !== 1) end++
  if (end === state.pos) return false
  if (!isSpeculative) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

/** `***text***` is `strong` around `em`; markdown-it nests them the other way. */
function putStrongOutside(children: Token[]): void {
  const openers: { outer: Token; inner: Token | undefined }[] = []
  let previous: Token | undefined
  for (const token of children) {
    if (token.type === 'text' && token.content === '') continue
    if (token.type === 'em_open') openers.push({ outer: token, inner: undefined })
    const current = openers.at(-1)
    if (token.type === 'strong_open' && current !== undefined && previous === current.outer) current.inner = token
    if (token.type === 'em_close' && current !== undefined) {
      openers.pop()
      if (current.inner !== undefined && previous?.type === 'strong_close') {
        for (const [strong, em] of [
          [current.inner, current.outer],
          [previous, token],
        ] as const) {
          const { type, tag, markup } = strong
          Object.assign(strong, { type: em.type, tag: em.tag, markup: em.markup })
          Object.assign(em, { type, tag, markup })
        }
      }
    }
    previous = token
  }
}

import MarkdownIt, { type StateBlock, type StateCore, type StateInline, type Token } from 'markdown-it'
import { allWork, boundWork, linkRule } from './bounds.ts'
import { channelLinkRule, renderChannelLink } from './channel-links.ts'
import { codeSpanRule, MAX_COLOURED_LENGTH, renderCodeBlock } from './code.ts'
import { renderEmoji } from './emoji.ts'
import { fenceRule, spoilerRenderers } from './fences.ts'
import { bareUrlRule, completeLinks, linkTarget, makeOwnLinksRelative } from './links.ts'
import { joinBulletLists, listRule } from './lists.ts'
import { formulaRule, MAX_TEX_LENGTH, renderInlineFormula, renderMathBlock } from './math.ts'
import { mentionRule, renderMention } from './mentions.ts'
import { hidePipesInCode, showPipesInCode } from './pipes.ts'
import { renderPreviewPlaces } from './previews.ts'
import { type MarkdownScope, type ParsingScope, scopeOf } from './scope.ts'
import { splitTexts } from './text.ts'
import { renderTime, timeRule } from './times.ts'

/**
 * The message markup on top of markdown-it. Markdown that the markup lacks is turned off and stays text: HTML, entity
 * references, backslash escapes, link reference definitions, underlined headings, images.
 */
const markdown = new MarkdownIt({ html: false, breaks: true })
markdown.disable([
  ...['linkify', 'replacements', 'smartquotes', 'text_join'],
  ...['reference', 'html_block', 'lheading'],
  ...['escape', 'image', 'autolink', 'html_inline', 'entity'],
])
markdown.core.ruler.before('block', 'hide_pipes', hidePipesInCode)
markdown.core.ruler.after('block', 'show_pipes', showPipesInCode)
markdown.core.ruler.at('inline', inlineRule)
boundWork(markdown)
replaceRule(markdown.block.ruler, 'list', listRule)
replaceRule(markdown.block.ruler, 'heading', headingRule)
replaceRule(markdown.inline.ruler, 'link', linkRule)
const interruptsBlocks = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
markdown.block.ruler.at('fence', fenceRule, interruptsBlocks)
markdown.block.ruler.before('table', 'too_deep', tooDeepRule)
markdown.block.ruler.before('blockquote', 'lone_quote_mark', loneQuoteMarkRule)
markdown.block.ruler.after('table', 'table_end', tableEndRule, { alt: ['blockquote'] })
/**
 * Bold, italic and struck text begins and ends beside anything but white space, as clients show it while they send it.
 * CommonMark looks at punctuation too, so that `**标题：**内容` would stay text.
 */
markdown.inline.State = class extends markdown.inline.State {
  override scanDelims(start: number, canSplitWord: boolean): ReturnType<StateInline['scanDelims']> {
    const { length } = super.scanDelims(start, canSplitWord)
    const [before, after] = [this.src.charCodeAt(start - 1), this.src.charCodeAt(start + length)]
    return { length, can_open: !isSpace(after), can_close: !isSpace(before) }
  }
}
markdown.inline.ruler.at('text', textRule)
markdown.inline.ruler.at('backticks', codeSpanRule)
for (const [name, rule] of Object.entries({
  formula: formulaRule,
  mention: mentionRule,
  channel_link: channelLinkRule,
  time: timeRule,
  bare_url: bareUrlRule,
})) {
  markdown.inline.ruler.push(name, rule)
}
markdown.normalizeLink = linkTarget
markdown.validateLink = (target) => target !== ''
Object.assign(markdown.renderer.rules, {
  ...spoilerRenderers,
  channel_link: renderChannelLink,
  code_block: renderCodeBlock,
  emoji: renderEmoji,
  fence: renderCodeBlock,
  math_block: renderMathBlock,
  math_inline: renderInlineFormula,
  mention: renderMention,
  previews: renderPreviewPlaces,
  s_open: () => '<del>',
  s_close: () => '</del>',
  time: renderTime,
})

/** Parses Markdown to blocks; tokens of type `inline` have children. */
export function parse(content: string, scope: MarkdownScope): Token[] {
  return joinBulletLists(markdown.parse(content, parsingScope(scope)))
}

/** Returns the HTML of parsed Markdown, with blocks separated by newlines. */
export function renderTokens(tokens: Token[], scope: MarkdownScope): string {
  const options = markdown.options as Required<typeof markdown.options>
  return markdown.renderer.render(tokens, options, parsingScope(scope)).trimEnd()
}

function parsingScope(scope: MarkdownScope): ParsingScope {
  return { ...scope, ...allWork(), texLeft: MAX_TEX_LENGTH, codeLeft: MAX_COLOURED_LENGTH }
}

/** @param code UTF-16 unit; NaN for the beginning and the end of a text */
function isSpace(code: number): boolean {
  return Number.isNaN(code) || markdown.utils.isWhiteSpace(code)
}

type BlockRule = (state: StateBlock, startLine: number, endLine: number, isSpeculative: boolean) => boolean

interface RulerOf<Rule> {
  readonly __rules__: readonly { readonly name: string; readonly fn: Rule; readonly alt: string[] }[]
  at(name: string, rule: Rule, options: { alt: string[] }): void
}

/** Replaces a rule of markdown-it by one made from it. */
function replaceRule<Rule>(ruler: RulerOf<Rule>, name: string, make: (rule: Rule) => Rule): void {
  const rule = ruler.__rules__.find((one) => one.name === name)
  if (rule === undefined) throw new Error(`markdown-it has no rule ${name}`)
  ruler.at(name, make(rule.fn), { alt: rule.alt })
}

/** Core rule: parses the text of the blocks, and tells the inline rules whether a block is in a quote. */
function inlineRule(state: StateCore): void {
  const scope = scopeOf(state)
  let quotes = 0
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes++
    else if (token.type === 'blockquote_close') quotes--
    else if (token.type === 'inline' && token.children !== null) {
      scope.isQuoted = quotes > 0
      state.md.inline.parse(token.content, state.md, scope, token.children)
      token.children = splitTexts(token.children, scope)
      if (token.content.includes('](')) completeLinks(token.children)
      if (scope.publicUrl !== undefined) makeOwnLinksRelative(token.children, scope.publicUrl)
      if (token.content.includes('***')) putStrongOutside(token.children)
    } else if (token.type === 'th_open' || token.type === 'td_open') {
      const style = token.attrGet('style')
      if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`)
    }
  }
}

/** Number of tokens of one text beyond which tables get no more rows, because markdown-it fills up short rows. */
const MAX_TOKENS_WITH_TABLES = 15_000

/** Block rule that ends a table if the text has too many tokens. */
function tableEndRule(state: StateBlock, _startLine: number, _endLine: number, isSpeculative: boolean): boolean {
  return isSpeculative && state.parentType === 'table' && state.tokens.length > MAX_TOKENS_WITH_TABLES
}

/**
 * From this level on, blocks contain only text, as they do after too many lines. markdown-it would drop everything
 * nested more deeply than 100.
 */
const DEEPEST_LEVEL = 90

/** Block rule: the rest of a block that is too deep, or comes too late, becomes one paragraph. */
function tooDeepRule(state: StateBlock, startLine: number, endLine: number, isSpeculative: boolean): boolean {
  if (isSpeculative || (state.level < DEEPEST_LEVEL && scopeOf(state).linesLeft > 0)) return false
  pushParagraph(state, state.getLines(startLine, endLine, state.blkIndent, false).trim())
  state.line = endLine
  return true
}

function pushParagraph(state: StateBlock, content: string): void {
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = content
  inline.children = []
  state.push('paragraph_close', 'p', -1)
}

/** The rule `heading` of markdown-it, but it requires text. */
function headingRule(heading: BlockRule): BlockRule {
  return (state, startLine, endLine, isSpeculative) =>
    !/^#{1,6}(?:\s+#*)?\s*$/.test(lineText(state, startLine)) && heading(state, startLine, endLine, isSpeculative)
}

/** Block rule: lines that contain only `>` are text; markdown-it would make an empty quote of them. */
function loneQuoteMarkRule(state: StateBlock, startLine: number, endLine: number): boolean {
  if (!isLoneQuoteMark(state, startLine)) return false
  let line = startLine
  while (line < endLine && isLoneQuoteMark(state, line)) line++
  if (line < endLine && lineText(state, line).startsWith('>')) return false
  state.line = line
  const marks = Array(line - startLine).fill('>')
  pushParagraph(state, marks.join('\n'))
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
for (const character of '\n#$*:<@[]`~') BEGINS_INLINE_RULE[character.charCodeAt(0)] = 1

/**
 * Inline rule: takes everything up to the next character with which another rule begins. `_` is not one of these,
 * because it does not mark emphasis.
 */
function textRule(state: StateInline, isSpeculative: boolean): boolean {
  let end = state.pos
  while (end < state.posMax && BEGINS_INLINE_RULE[state.src.charCodeAt(end)] !== 1) end++
  if (end === state.pos) return false
  if (!isSpeculative) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

/** `***text***` is `strong` around `em`; markdown-it nests them the other way round. */
function putStrongOutside(children: Token[]): void {
  /** An `em` that is open, the `strong` that it begins with, how many are open in it, and the end of that first one. */
  interface Opener {
    readonly em: Token
    strong?: Token
    depth: number
    end?: Token
  }
  const openers: Opener[] = []
  let previous: Token | undefined
  for (const token of children) {
    if (token.type === 'text' && token.content === '') continue
    if (token.type === 'em_open') openers.push({ em: token, depth: 0 })
    const current = openers.at(-1)
    if (current !== undefined && token.type === 'strong_open') {
      current.depth++
      if (previous === current.em) current.strong = token
    } else if (current !== undefined && token.type === 'strong_close') {
      current.depth--
      if (current.depth === 0) current.end ??= token
    } else if (current !== undefined && token.type === 'em_close') {
      openers.pop()
      if (current.strong !== undefined && previous !== undefined && previous === current.end) {
        swap(current.strong, current.em)
        swap(previous, token)
      }
    }
    previous = token
  }
}

function swap(one: Token, other: Token): void {
  const { type, tag, markup } = one
  Object.assign(one, { type: other.type, tag: other.tag, markup: other.markup })
  Object.assign(other, { type, tag, markup })
}

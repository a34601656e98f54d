import type { StateInline, Token } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'
import { type ParsingScope, scopeOf } from './scope.ts'

/** `$$tex$$` on one line; a dollar sign inside is written `\$`. */
const FORMULA = /\$\$((?:\\\$|[^$\n])+)\$\$(?![$\p{L}\p{N}])/uy
const MAY_NOT_PRECEDE = /[$\\\p{L}\p{N}]$/u
const DOLLAR = 0x24
/** Maximum characters of TeX in one formula, and in one message. Longer formulas are shown as written. */
const MAX_FORMULA_LENGTH = 1000
export const MAX_TEX_LENGTH = 5000

/**
 * Commands that define others, because a few characters could then make a formula of any length, and commands that
 * write to the log of the renderer. Other commands cannot build these names, because KaTeX has no way to do that.
 */
const REFUSED: ReadonlySet<string> = new Set(
  (
    'def gdef edef xdef let futurelet global long newcommand renewcommand providecommand ' + 'message errmessage show'
  ).split(' '),
)
const COMMANDS = /\\([A-Za-z@]+|.)/gs

/** Inline rule. */
export function formulaRule(state: StateInline, isSpeculative: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== DOLLAR || src.charCodeAt(pos + 1) !== DOLLAR) return false
  if (scopeOf(state).renderPiece === undefined) return false
  if (MAY_NOT_PRECEDE.test(src.slice(Math.max(0, pos - 2), pos))) return false
  FORMULA.lastIndex = pos
  const tex = FORMULA.exec(src)?.[1]
  if (tex === undefined || FORMULA.lastIndex > state.posMax || tex.trim() === '') return false
  const end = FORMULA.lastIndex
  if (!isSpeculative) state.push('math_inline', 'span', 0).content = tex
  state.pos = end
  return true
}

export function renderInlineFormula(tokens: Token[], index: number, _options: unknown, env: unknown): string {
  const { content } = tokens[index] as Token
  return texToHtml(content, false, env as ParsingScope) ?? `<span class="tex-error">$$${escapeHtml(content)}$$</span>`
}

/** Renders separate formulas, divided by blank lines. */
export function renderMathBlock(tokens: Token[], index: number, _options: unknown, env: unknown): string {
  const formulas = (tokens[index] as Token).content.split(/\n[^\S\n]*\n/).map((tex) => tex.trim())
  const html = formulas
    .filter((tex) => tex !== '')
    .map((tex) => texToHtml(tex, true, env as ParsingScope) ?? `<span class="tex-error">${escapeHtml(tex)}</span>`)
  return `<p>${html.join('\n')}</p>\n`
}

function texToHtml(tex: string, isDisplayed: boolean, scope: ParsingScope): string | undefined {
  if (tex.length > Math.min(scope.texLeft, MAX_FORMULA_LENGTH) || isRefused(tex)) return undefined
  scope.texLeft -= tex.length
  return scope.renderPiece?.({ kind: 'formula', tex, isDisplayed })
}

function isRefused(tex: string): boolean {
  return tex.matchAll(COMMANDS).some(([, name]) => REFUSED.has(name as string))
}

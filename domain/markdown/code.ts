import type { StateInline, Token } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'
import { wordsOfInfo } from './fences.ts'
import { languageNamed } from './languages.ts'
import type { ParsingScope } from './scope.ts'

const BACKTICK = 0x60

/**
 * Maximum length of coloured code in one message, and a pattern for code that gets no colours because it has a very
 * long line or run of white space. The time of a grammar grows with the square of these lengths, and within the limits
 * it takes less than 100 ms at worst.
 */
export const MAX_COLOURED_LENGTH = 5000
const TOO_HARD = /[^\n]{301}|\s{101}/

/**
 * Inline rule: code between two equally long runs of backticks, with its inner spaces kept. The next run of the same
 * length comes from a table built once for a text, so that many unpaired runs cost no more than their length.
 */
export function codeSpanRule(state: StateInline, isSpeculative: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== BACKTICK) return false
  if (!state.backticksScanned) {
    state.backticks = nextRunOfSameLength(state.src)
    state.backticksScanned = true
  }
  let contentStart = state.pos + 1
  while (contentStart < state.posMax && state.src.charCodeAt(contentStart) === BACKTICK) contentStart++
  const marker = state.src.slice(state.pos, contentStart)
  const closer = state.backticks[state.pos]
  if (closer === undefined || closer + marker.length > state.posMax) {
    if (!isSpeculative) state.pending += marker
    state.pos = contentStart
    return true
  }
  if (!isSpeculative) {
    state.push('code_inline', 'code', 0).content = state.src.slice(contentStart, closer).replaceAll('\n', ' ')
  }
  state.pos = closer + marker.length
  return true
}

/** Renders a code block. A fence names its language; indented code has none. */
export function renderCodeBlock(tokens: Token[], index: number, _options: unknown, env: unknown): string {
  const { type, content, info } = tokens[index] as Token
  const scope = env as ParsingScope
  const code = content === '' || content.endsWith('\n') ? content : `${content}\n` // a fence may end with the message
  const name = wordsOfInfo(info).first || (type === 'fence' ? (scope.defaultCodeLanguage ?? '') : '')
  const language = languageNamed(name)
  const attribute = name === '' ? '' : ` data-code-language="${escapeHtml(language?.displayName ?? name)}"`
  const html = (language?.grammar && coloured(code, name, scope)) || escapeHtml(code)
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>\n`
}

/** Returns undefined if the code gets no colours. */
function coloured(code: string, language: string, scope: ParsingScope): string | undefined {
  if (code.length > scope.codeLeft || TOO_HARD.test(code)) return undefined
  scope.codeLeft -= code.length
  return scope.renderPiece?.({ kind: 'code', code, language })
}

/** Start of a run of backticks → start of the next equally long run. */
export function nextRunOfSameLength(text: string): Record<number, number> {
  const next: Record<number, number> = {}
  const latest = new Map<number, number>()
  for (const run of text.matchAll(/`+/g)) {
    const length = run[0].length
    const previous = latest.get(length)
    if (previous !== undefined) next[previous] = run.index
    latest.set(length, run.index)
  }
  return next
}

import type { StateInline, Token } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'

const BACKTICK = 0x60

/**
 * Names that readers of the HTML know for a language, by what people write behind the fence. What is not here stands in
 * the HTML as it was written.
 */
const LANGUAGE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Bash: ['bash', 'sh', 'shell', 'zsh', 'ksh'],
    C: ['c'],
    'C#': ['csharp', 'c#', 'cs'],
    'C++': ['cpp', 'c++'],
    CSS: ['css'],
    Diff: ['diff', 'udiff'],
    Docker: ['docker', 'dockerfile'],
    Go: ['go', 'golang'],
    Haskell: ['haskell', 'hs'],
    HTML: ['html'],
    INI: ['ini', 'cfg'],
    Java: ['java'],
    JavaScript: ['javascript', 'js'],
    JSON: ['json'],
    Kotlin: ['kotlin'],
    Lua: ['lua'],
    Makefile: ['make', 'makefile', 'mf'],
    Markdown: ['markdown', 'md'],
    Perl: ['perl', 'pl'],
    PHP: ['php'],
    Python: ['python', 'python3', 'py', 'py3'],
    Ruby: ['ruby', 'rb'],
    Rust: ['rust', 'rs'],
    Scala: ['scala'],
    SQL: ['sql'],
    Swift: ['swift'],
    'Text only': ['text'],
    TOML: ['toml'],
    TypeScript: ['typescript', 'ts'],
    XML: ['xml'],
    YAML: ['yaml'],
  }).flatMap(([name, aliases]) => aliases.map((alias) => [alias, name] as const)),
)

/**
 * Inline rule: code between two runs of equally many backticks, its inner spaces kept. For every run the next one of
 * its length is looked up in a table made once per text, so that many unpaired runs cost no more than their length.
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

export function renderCodeBlock(tokens: Token[], index: number): string {
  const { content, info } = tokens[index] as Token
  const code = content === '' || content.endsWith('\n') ? content : `${content}\n` // a fence may end with the message
  const language = languageOf(info)
  const attribute = language === '' ? '' : ` data-code-language="${escapeHtml(language)}"`
  return `<div class="codehilite"${attribute}><pre><span></span><code>${escapeHtml(code)}</code></pre></div>\n`
}

/** The language named behind a fence: `python`, `.python` or `{.python}`; empty when there is none. */
function languageOf(info: string): string {
  const written = /^\s*\{?\s*\.?([^\s{}]+)/.exec(info)?.[1] ?? ''
  return LANGUAGE_NAMES.get(written.toLowerCase()) ?? written
}

/** Start of a run of backticks → start of the next run that is as long. */
function nextRunOfSameLength(text: string): Record<number, number> {
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

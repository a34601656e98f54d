import type { HLJSApi } from 'highlight.js'
import { type Highlight, highlighterOf } from './highlight.ts'
import { type Language, languageNamed } from './languages.ts'

/** Large libraries that only some texts need, ready to be called. */
export interface MarkdownTools {
  /** HTML of a formula; undefined when it is none that can be set. */
  readonly texToHtml?: (tex: string, isDisplayed: boolean) => string | undefined
  /** HTML of code; undefined when its language has no grammar here. */
  readonly highlight?: Highlight
}

const NO_TOOLS: MarkdownTools = {}
const MAY_HOLD_MATH = /\$\$|(?:```|~~~)\s*\{?\s*\.?\s*math/i
const FENCE = /(?:```|~~~)[`~]*([^\S\n]*\{?[^\S\n]*\.?([^\s{}`~]*))/g

/** Expansions of macros in one formula. One that defines its own may make much of little, and has fewer. */
const MAX_EXPANSIONS = 1000
const MAX_EXPANSIONS_WITH_DEFINITIONS = 50
const DEFINITION = /\\(?:def|gdef|edef|xdef|let|futurelet|global|long|newcommand|renewcommand|providecommand)/

/**
 * Loads what rendering `content` needs and was not loaded before; most texts need nothing and wait for nothing.
 * @param defaultCodeLanguage language of fences that name none
 */
export function prepareMarkdown(content: string, defaultCodeLanguage = ''): MarkdownTools | Promise<MarkdownTools> {
  const hasFence = content.includes('```') || content.includes('~~~')
  if (!hasFence && !content.includes('$$')) return NO_TOOLS
  return load(hasFence ? languagesIn(content, defaultCodeLanguage) : [], MAY_HOLD_MATH.test(content))
}

async function load(languages: readonly Language[], needsMath: boolean): Promise<MarkdownTools> {
  return {
    ...(languages.length > 0 && { highlight: await highlighterFor(languages) }),
    ...(needsMath && { texToHtml: await texRenderer() }),
  }
}

/** Languages with a grammar behind fences; too many, where text only looks like a fence. */
function languagesIn(content: string, defaultCodeLanguage: string): Language[] {
  const names = new Set([defaultCodeLanguage])
  for (const match of content.matchAll(FENCE)) names.add(match[2] as string)
  return [...names].flatMap((name) => languageNamed(name) ?? []).filter(({ grammar }) => grammar !== undefined)
}

/** One for the whole process, of our own: who embeds Parley may use the library too. */
let highlighter: Promise<{ hljs: HLJSApi; highlight: Highlight }> | undefined

async function highlighterFor(languages: readonly Language[]): Promise<Highlight> {
  highlighter ??= import('highlight.js/lib/core').then(({ default: shared }) => {
    const hljs = shared.newInstance()
    return { hljs, highlight: highlighterOf(hljs) }
  })
  const { hljs, highlight } = await highlighter
  const grammars = new Set(languages.flatMap(({ grammar, embeds }) => [grammar as string, ...embeds]))
  await Promise.all([...grammars].map((grammar) => register(hljs, grammar)))
  return highlight
}

async function register(hljs: HLJSApi, grammar: string): Promise<void> {
  if (hljs.getLanguage(grammar)) return
  const { default: define } = await import(`highlight.js/lib/languages/${grammar}`)
  hljs.registerLanguage(grammar, define)
}

/** KaTeX with everything off that could reach outside of the formula: links, classes, pictures, warnings on the console. */
async function texRenderer(): Promise<NonNullable<MarkdownTools['texToHtml']>> {
  const { default: katex } = await import('katex')
  return (tex, isDisplayed) => {
    try {
      return katex.renderToString(tex, {
        displayMode: isDisplayed,
        throwOnError: true,
        strict: 'ignore',
        trust: false,
        maxSize: 20, // em
        maxExpand: DEFINITION.test(tex) ? MAX_EXPANSIONS_WITH_DEFINITIONS : MAX_EXPANSIONS,
      })
    } catch (err) {
      // Nested so deeply that the stack ended: as little a formula as one with an error.
      if (err instanceof katex.ParseError || err instanceof RangeError) return undefined
      throw err
    }
  }
}

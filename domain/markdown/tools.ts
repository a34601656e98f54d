import type { HLJSApi } from 'highlight.js'
import { type Highlight, highlighterOf } from './highlight.ts'
import { languageNamed } from './languages.ts'
import type { Piece, PieceHtml, RenderPieces } from './pieces.ts'

type TexToHtml = (tex: string, isDisplayed: boolean) => string | undefined

/** Maximum expansions of KaTeX's own macros in one formula. */
const MAX_EXPANSIONS = 1000

/**
 * Loads the large libraries that `pieces` need, if they are not loaded yet. The returned function is slow, for some
 * pieces more than for others, so a server calls it where only the writer waits.
 */
export async function pieceRenderer(pieces: readonly Piece[]): Promise<(piece: Piece) => PieceHtml> {
  const languages = new Set(pieces.flatMap((piece) => (piece.kind === 'code' ? [piece.language] : [])))
  const highlight = languages.size > 0 ? await highlighterFor(languages) : undefined
  const texToHtml = pieces.some(({ kind }) => kind === 'formula') ? await texRenderer() : undefined
  return (piece) => {
    if (piece.kind === 'formula') return texToHtml?.(piece.tex, piece.isDisplayed)
    return highlight?.(piece.code, languageNamed(piece.language)?.grammar ?? '')
  }
}

/** Renders in this thread, for our own texts. */
export const renderPiecesHere: RenderPieces = async (pieces) => pieces.map(await pieceRenderer(pieces))

/** A separate instance for the whole thread, because a program that embeds Parley may use the library too. */
let highlighter: Promise<{ hljs: HLJSApi; highlight: Highlight }> | undefined

async function highlighterFor(languages: ReadonlySet<string>): Promise<Highlight> {
  highlighter ??= import('highlight.js/lib/core').then(({ default: shared }) => {
    const hljs = shared.newInstance()
    return { hljs, highlight: highlighterOf(hljs) }
  })
  const { hljs, highlight } = await highlighter
  const grammars = [...languages].flatMap((name) => {
    const language = languageNamed(name)
    return language?.grammar === undefined ? [] : [language.grammar, ...language.embeds]
  })
  await Promise.all([...new Set(grammars)].map((grammar) => register(hljs, grammar)))
  return highlight
}

async function register(hljs: HLJSApi, grammar: string): Promise<void> {
  if (hljs.getLanguage(grammar)) return
  const { default: define } = await import(`highlight.js/lib/languages/${grammar}`)
  hljs.registerLanguage(grammar, define)
}

/**
 * Loads KaTeX with everything disabled that could reach outside of the formula: links, classes, pictures, warnings on
 * the console.
 */
async function texRenderer(): Promise<TexToHtml> {
  const { default: katex } = await import('katex')
  return (tex, isDisplayed) => {
    try {
      return katex.renderToString(tex, {
        displayMode: isDisplayed,
        throwOnError: true,
        strict: 'ignore',
        trust: false,
        maxSize: 20, // em
        maxExpand: MAX_EXPANSIONS,
      })
    } catch (err) {
      // So deeply nested that the stack overflowed, which counts as a syntax error.
      if (err instanceof katex.ParseError || err instanceof RangeError) return undefined
      throw err
    }
  }
}

import { escapeHtml } from './escape-html.ts'
import type { MarkdownScope } from './scope.ts'
import { isInteresting } from './text.ts'

/**
 * Lines that none of our rules concerns: each begins with a character that begins no block, and contains none that
 * begins an inline rule. White space at the ends is left to the parser, which removes it.
 */
const PLAIN_LINES = /^(?:[^\s\d\0#>+\-_*`~[\]](?:[^\r\n\0*`~[\]]*[^\s\0*`~[\]])?(?:\n+|$))+$/

/** Markup that begins in the middle of such lines: URLs, times, formulas, and tables in two lines. */
const MARKUP_INSIDE = /:\/\/|<time:|\$\$/

/**
 * Returns the HTML of a text without any markup; undefined if the parser is needed. Most messages are such texts, and
 * the parser takes ten times as long, which made rendering the largest cost of a send.
 */
export function renderPlain(
  content: string,
  scope: MarkdownScope,
): { html: string; isOneParagraph: boolean } | undefined {
  if (!PLAIN_LINES.test(content) || MARKUP_INSIDE.test(content) || isInteresting(content, scope)) return undefined
  if (content.includes('|') && content.includes('\n')) return undefined
  return plainParagraphs(content)
}

/** Renders paragraphs and their lines, with every character as it is. */
export function plainParagraphs(content: string): { html: string; isOneParagraph: boolean } {
  const escaped = escapeHtml(content.replaceAll('\0', '\ufffd'))
  if (!escaped.includes('\n')) return { html: `<p>${escaped}</p>`, isOneParagraph: true }
  const paragraphs = escaped.replace(/\n+$/, '').split(/\n\n+/)
  return {
    html: paragraphs.map((lines) => `<p>${lines.replaceAll('\n', '<br>\n')}</p>`).join('\n'),
    isOneParagraph: paragraphs.length === 1,
  }
}

import { escapeHtml } from './escape-html.ts'
import type { MarkdownScope } from './scope.ts'
import { isInteresting } from './text.ts'

/**
 * Matches lines to which none of our rules applies. Each begins with a character that does not begin a block, and
 * contains no character that begins an inline rule. Lines with white space at the ends are left to the parser, which
 * removes it.
 */
const PLAIN_LINES = /^(?:[^\s\d\0#>+\-_*`~[\]](?:[^\r\n\0*`~[\]]*[^\s\0*`~[\]])?(?:\n+|$))+$/

/** Markup that begins in the middle of such lines: URLs, times, formulas, and tables in two lines. */
const MARKUP_INSIDE = /:\/\/|<time:|\$\$/

/**
 * Returns the HTML of a text without any markup; undefined if the parser is needed. Most messages are such texts. The
 * parser takes ten times as long, which made rendering the largest cost of a send.
 */
export function renderPlain(
  content: string,
  scope: MarkdownScope,
): { html: string; isOneParagraph: boolean } | undefined {
  if (!PLAIN_LINES.test(content) || MARKUP_INSIDE.test(content) || isInteresting(content, scope)) return undefined
  if (content.includes('|') && content.includes('\n')) return undefined
  return plainParagraphs(content)
}

/** Renders paragraphs and their lines, with every character unchanged. */
export function plainParagraphs(content: string): { html: string; isOneParagraph: boolean } {
  const escaped = escapeHtml(content.replaceAll('\0', '\ufffd'))
  if (!escaped.includes('\n')) return { html: `<p>${escaped}</p>`, isOneParagraph: true }
  const paragraphs = escaped.replace(/\n+$/, '').split(/\n\n+/)
  return {
    html: paragraphs.map((lines) => `<p>${lines.replaceAll('\n', '<br>\n')}</p>`).join('\n'),
    isOneParagraph: paragraphs.length === 1,
  }
}

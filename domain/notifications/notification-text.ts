import { withLiteralEmoji } from '../emoji/literal-emoji.ts'
import { readHtml } from '../search/html.ts'
import { cutTo } from '../text/code-points.ts'

/** Number of code points that fit on a locked screen. */
const MAX_TEXT_LENGTH = 200
const HIDDEN = '(…)'
const HIDDEN_BLOCK = /^<div class="spoiler-content"/
const DIV = /^<(\/?)div\b/
const IMAGE_NAME = /^<img\b[^>]*\balt="(:[^"]*:)"/

/** Returns the beginning of a message as plain text; spoilers stay hidden. */
export function notificationText(html: string): string {
  let text = ''
  /** Depth of open `div`s in the hidden block, itself included. */
  let hiddenDepth = 0
  for (const part of readHtml(withLiteralEmoji(html))) {
    if (part.kind === 'text') {
      if (part.isVisible && hiddenDepth === 0) text += part.text
      continue
    }
    const [, slash] = DIV.exec(part.source) ?? []
    if (hiddenDepth > 0) {
      if (slash !== undefined) hiddenDepth += slash === '/' ? -1 : 1
      continue
    }
    if (HIDDEN_BLOCK.test(part.source)) {
      hiddenDepth = 1
      text += `${HIDDEN}\n`
      continue
    }
    text += IMAGE_NAME.exec(part.source)?.[1] ?? (part.isBreak ? '\n' : '')
    // The rest is not shown.
    if (text.length > 4 * MAX_TEXT_LENGTH) break
  }
  return cutTo(text.trim().replace(/\s*\n\s*/g, '\n'), MAX_TEXT_LENGTH, '…')
}

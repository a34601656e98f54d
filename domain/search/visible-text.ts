import { readHtml } from './html.ts'

/** Returns the text of rendered content as a reader sees it, with a line break between blocks. */
export function visibleText(html: string): string {
  let text = ''
  for (const part of readHtml(html)) {
    if (part.kind === 'text' && part.isVisible) text += part.text
    else if (part.kind === 'tag' && part.isBreak) text += '\n'
  }
  return text
}

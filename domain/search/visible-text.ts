import { readHtml } from './html.ts'

/** What a reader sees of rendered content: its text, with a line break wherever one block ends and another begins. */
export function visibleText(html: string): string {
  let text = ''
  for (const part of readHtml(html)) {
    if (part.kind === 'text' && part.isVisible) text += part.text
    else if (part.kind === 'tag' && part.isBreak) text += '\n'
  }
  return text
}

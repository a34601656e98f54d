/** Texts with blanks between them: in a text `␣` is a blank, `⏎` a line break and `⇥` a tab. */
export function textsIn(written: string): string[] {
  return written.split(' ').map((text) => text.replaceAll('␣', ' ').replaceAll('⏎', '\n').replaceAll('⇥', '\t'))
}

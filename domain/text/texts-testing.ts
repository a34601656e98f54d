/** Splits a string at blanks into texts. In a text, `␣` stands for a blank, `⏎` for a line break and `⇥` for a tab. */
export function textsIn(written: string): string[] {
  return written.split(' ').map((text) => text.replaceAll('␣', ' ').replaceAll('⏎', '\n').replaceAll('⇥', '\t'))
}

import { BadRequestError } from '../errors.ts'

/** Splits a string at blanks into texts. In a text, `␣` stands for a blank, `⏎` for a line break and `⇥` for a tab. */
export function textsIn(written: string): string[] {
  return written.split(' ').map((text) => text.replaceAll('␣', ' ').replaceAll('⏎', '\n').replaceAll('⇥', '\t'))
}

/** Returns what `check` makes of the text; undefined if it refuses it. */
export function unlessRefused(check: (raw: string) => string, raw: string): string | undefined {
  try {
    return check(raw)
  } catch (err) {
    if (err instanceof BadRequestError) return undefined
    throw err
  }
}
